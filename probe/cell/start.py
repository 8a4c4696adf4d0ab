def nbmedic(do="start", program=b""):
    """Starts or restarts the probe; nbmedic("no values") does so without looking at values; nbmedic("stop") stops it;
    nbmedic("remove") also deletes its files."""
    import builtins, contextlib, faulthandler, glob, hashlib, json, os, platform, signal, subprocess, sys
    import tempfile, threading, time, uuid
    from IPython import get_ipython

    shell, quiet = get_ipython(), contextlib.suppress(Exception)
    if sys.platform != "linux" or not hasattr(shell, "kernel"):
        return print("nbmedic: the probe needs a Jupyter kernel on Linux.")
    import fcntl
    # Removes what an earlier run of this cell left in this kernel: hooks, thread, sampler.
    getattr(shell, "_nbmedic", lambda: None)()
    shell._nbmedic = lambda: None
    folder = os.getcwd()
    if folder.startswith("/content/drive") or not os.access(folder, os.W_OK):
        folder = "/content" if os.access("/content", os.W_OK) else tempfile.gettempdir()

    causes = {
        "host-oom": "the system killed it because memory ran out",
        "shared-memory-exhausted": "it crashed because shared memory, /dev/shm, was full",
        "native-crash": "native code crashed it",
        "cuda-illegal-access": "it gave up after code on the GPU used a bad address",
        "gpu-hardware-fault": "a GPU failed",
        "kernel-died": "somebody killed it, for another reason than memory",
        "clean-exit": "it ended without an error: a restart or a shutdown",
        "unknown": "nothing says how",
    }

    # The record -----------------------------------------------------------------------------------------------------

    def free(stem):
        """Whether no living sampler holds this record."""
        with open(stem + ".jsonl", "ab") as file:
            with contextlib.suppress(OSError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
        # On a file system without locks, nobody can hold one.
        return False

    def lines(path, start=0):
        """The lines of a record from an offset on, and the offset after them."""
        found = []
        with quiet, open(path, "rb") as file:
            file.seek(start)
            data = file.read().rpartition(b"\n")[0]
            start += len(data) + 1 if data else 0
            for line in data.splitlines():
                with quiet:
                    found.append(json.loads(line))
        return found, start

    def flights():
        """For each kernel that was recorded here, its last line of each kind."""
        found = []
        for stem in sorted({path[:-6].removesuffix(".1") for path in glob.glob(folder + "/nbmedic-flight*.jsonl")}):
            flight = {}
            for line in lines(stem + ".1.jsonl")[0] + lines(stem + ".jsonl")[0]:
                kind = line.get("k")
                if kind == "start" and (line["pid"], line["born"]) != flight.get("who"):
                    flight = {"who": (line["pid"], line["born"]), "stem": stem, "s": {}, "xid": []}
                    found.append(flight)
                if flight and kind == "s":
                    flight["s"].update(line)
                elif flight and kind == "xid":
                    flight["xid"].append(line)
                elif flight:
                    flight[kind] = line
        return found

    def size(n):
        return f"{n / 2**30:.1f}"

    def death():
        """What happened to the kernel before this one, in words, and its last line for programs."""
        known = [f for f in flights() if f["who"][0] != os.getpid() and (f.get("end") or "stop" not in f and free(f["stem"]))]
        ours = [f for f in known if f["start"].get("id") == kernel] or known
        if not ours:
            return
        flight = max(ours, key=lambda f: f.get("end", f["s"]).get("t", 0))
        end = flight.get("end", {"k": "end", "t": flight["s"].get("t", 0), "over": 1, "oom": [None] * 3})
        run, status = flight.get("run"), end.get("st")
        # The record holds the observations; the verdict is made here.
        xids = [[x["x"], end["t"] - x["t"], int("Out Of Range Address" in x.get("msg", ""))] for x in flight["xid"][-16:]]
        if xids:
            end["xids"] = xids
        judge = {}
        builtins.exec(NBMEDIC_SAMPLER, judge)
        end["cause"], end["sure"] = judge["judge"](end, xids)
        if run and flight.get("ran", {}).get("t", 0) < run["t"]:
            end["n"] = run["n"]
        how = "its status is not known"
        if "over" in end:
            how = "the recorder ended with it: the whole machine or container was stopped"
        elif status is not None:
            number = status & 127
            names = {s.value: s.name for s in signal.Signals}
            how = f"signal {number}, {names.get(number, 'unnamed')}" if number else f"exit code {status >> 8}"
        if "fault" in end:
            how += f", {end['fault']}" + (", stack overflow" if "deep" in end else "")
        cause = causes.get(end["cause"], end["cause"])
        if end["cause"] == "kernel-died":
            server = "its Jupyter server was gone" if end.get("par") == 0 else ""
            cause = server or (cause if status and status & 127 else "it ended itself")
        during = f", while cell [{end['n']}] ran: {run['l']}" if "n" in end else "."
        print(f"nbmedic: the kernel before this one ended {time.ctime(end['t'] / 1000)}{during}")
        print(f"{cause[0].upper()}{cause[1:]} ({end['sure']}; {how}).", end=" ")
        if "last" in end:
            print(f"Memory just before: {size(end['last'][0])} of {size(end['last'][1])} GiB.", end=" ")
        print(f"⟦nbmedic:1 {json.dumps(end, separators=(',', ':'), ensure_ascii=False)}⟧")

    # The feed: one line, rewritten while a cell runs --------------------------------------------------------------------

    def line():
        nonlocal at, inode
        if lost:
            return "nbmedic: the recorder has ended; run this cell again."
        with quiet:
            if os.stat(record).st_ino != inode:
                at, inode = 0, os.stat(record).st_ino
        news, at = lines(record, at)
        for new in news:
            if new.get("k") == "s":
                now.update(new)
        words = []
        for i, gpu in enumerate(now.get("g", [])):
            name = f"GPU {i}" if len(now["g"]) > 1 else "GPU"
            load = f" {gpu[2]}%" if gpu and gpu[2] is not None else ""
            words.append(f"{name} {size(gpu[0])}/{size(gpu[1])} GiB{load}" if gpu else f"{name} does not answer")
        group = now.get("cg") or [0, None]
        memory = group if group[1] else now.get("r")
        if memory:
            words.append(f"RAM {size(memory[0])}/{size(memory[1])} GiB")
        if "rss" in now:
            words.append(f"kernel {size(now['rss'][0])} GiB")
        if "cpu" in now:
            words.append(f"CPU {now['cpu'][0]}%")
        if now.get("d"):
            words.append(f"disk {size(now['d'][0][1])} GiB free")
        state = {key: now[key] for key in "k t g cg r rss oom cpu d up sw io psi".split() if key in now}
        while True:
            text = f"nbmedic: {' · '.join(words) or 'recording'} ⟦nbmedic:1 {json.dumps(state, separators=(',', ':'))}⟧"
            if len(text.encode()) <= 600:
                return text
            if state:
                state.popitem()
            else:
                words.pop()

    def show(update=True):
        nonlocal shown
        shown = time.monotonic()
        with quiet:
            # Bypasses print and anything that captures the running cell's outputs.
            publisher.publish({"text/plain": line()}, {}, transient={"display_id": display}, update=update)

    def feed():
        while busy.wait() and not over.wait(max(0.05, shown + 1 - time.monotonic())):
            with lock:
                if running and time.monotonic() - shown >= 1:
                    show()

    # The hooks ---------------------------------------------------------------------------------------------------------

    def tell(word, kind, **fields):
        nonlocal lost
        try:
            os.write(pipe, word)
        except OSError as error:
            # Only the sampler has the other end. A full pipe does not mean that it is dead.
            lost = isinstance(error, BrokenPipeError)
        with quiet:
            file = os.open(record, os.O_WRONLY | os.O_APPEND)
            new = {"k": kind, "t": int(time.time() * 1000), **fields}
            os.write(file, (json.dumps(new, separators=(",", ":")) + "\n").encode())
            os.close(file)

    def before(info=None):
        nonlocal running
        with quiet, lock:
            running.append(shell.execution_count)
            busy.set()
            source = info.raw_cell or ""
            first = next((part.strip() for part in source.splitlines() if part.strip()), "")[:80]
            identity = getattr(info, "cell_id", None)
            digest = hashlib.sha256(source.encode()).hexdigest()[:12]
            tell(b"r", "run", n=running[-1], h=digest, l=first, **({"c": identity} if identity else {}))

    def after(result=None):
        with quiet, lock:
            count = running.pop() if running else shell.execution_count
            tell(b"d", "ran", n=count, ok=bool(getattr(result, "success", True)))
            error = getattr(result, "error_in_exec", None)
            text = nbmedic_values(shell, error) if isinstance(error, Exception) and do == "start" else ""
            if text:
                publisher.publish({"text/plain": text}, {})
            if not running:
                busy.clear()
                if time.monotonic() - shown >= 1:
                    show()

    def stop():
        shell._nbmedic = lambda: None
        over.set()
        busy.set()
        for event, hook in hooks:
            with quiet:
                shell.events.unregister(event, hook)
        with quiet:
            faulthandler.disable()
            faults.close()
            if enabled:
                faulthandler.enable(sys.__stderr__)
        with quiet:
            os.write(pipe, b"q")
            os.close(pipe)
        for _ in range(50):
            # The sampler writes its last line.
            if free(stem):
                break
            time.sleep(0.02)

    # The sampler --------------------------------------------------------------------------------------------------------

    def launch(program, *command):
        """Runs a program from memory, or from a file if that is forbidden. Returns the pipe to it, or None."""
        theirs, ours = os.pipe()
        os.set_blocking(ours, False)
        for memory in (True, False):
            with quiet, tempfile.TemporaryDirectory() as scratch:
                path = scratch + "/nbmedic-probe"
                file = os.memfd_create("nbmedic-probe") if memory else os.open(path, os.O_WRONLY | os.O_CREAT, 0o700)
                os.write(file, program)
                if memory:
                    path = f"/proc/self/fd/{file}"
                else:
                    os.close(file)
                # A session of its own, because it must outlive the kernel. It forks, and the parent returns a status.
                code = subprocess.Popen(
                    [*command, path, str(os.getpid()), folder, *keys], stdin=theirs, stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL, pass_fds=[file] if memory else [], start_new_session=True,
                ).wait(20)
                if memory:
                    os.close(file)
                if code == 0:
                    os.close(theirs)
                    return ours
        os.close(theirs)
        os.close(ours)
        return None

    # The kernel's id stays the same when the server restarts it.
    kernel = os.path.basename(shell.config.get("IPKernelApp", {}).get("connection_file", ""))[7:-5][:40]
    stems = [f"{folder}/nbmedic-flight{suffix}" for suffix in ("", *(f"-{n}" for n in range(2, 10)))]
    if do not in ("start", "no values"):
        for stem in stems if do == "remove" else ():
            # Leaves another notebook's record alone.
            for path in (stem + ".jsonl", stem + ".1.jsonl", stem.replace("flight", "fault") + ".log") if free(stem) else ():
                with quiet:
                    os.remove(path)
        return print("nbmedic: the probe is stopped" + (", its files are deleted." if do == "remove" else "."))
    death()
    stem = next((stem for stem in stems if free(stem)), stems[0])
    keys = ["id=" + kernel] * bool(kernel) + ["name=" + stem[-1]] * (stem[-2] == "-")
    keys += os.environ.get("NBMEDIC_PROBE", "").split()
    record, at, inode, now = stem + ".jsonl", os.path.getsize(stem + ".jsonl"), os.stat(stem + ".jsonl").st_ino, {}
    fault = stem.replace("flight", "fault") + ".log"
    # Keeps only the last crashes.
    faults = open(fault, "a" if not os.path.exists(fault) or os.path.getsize(fault) < 1 << 18 else "w")
    pipe = None
    if program and platform.machine() == "x86_64" and "mode=python" not in keys:
        pipe = launch(program)
    if pipe is None:
        pipe = launch(NBMEDIC_SAMPLER.encode(), sys.executable, "-IS")
    if pipe is None:
        return print("nbmedic: no program can be started here, so nothing is recorded.")
    publisher, display, shown, lost = shell.display_pub, uuid.uuid4().hex, 0, False
    lock, busy, over, running = threading.RLock(), threading.Event(), threading.Event(), [shell.execution_count]
    enabled = faulthandler.is_enabled()
    faulthandler.enable(faults)
    hooks = ("pre_run_cell", before), ("post_run_cell", after)
    for event, hook in hooks:
        shell.events.register(event, hook)
    shell._nbmedic = stop
    for _ in range(40):
        line()
        if now:
            break
        time.sleep(0.025)
    show(False)
    busy.set()
    threading.Thread(target=feed, daemon=True, name="nbmedic").start()


nbmedic()
