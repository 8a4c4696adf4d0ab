def nbmedic_trial(shell, source, shown, seconds=20):
    """Runs a cell in a copy of this kernel that can change nothing outside itself, and prints how that ended: `%%nbmedic_try`.
    docs/trials.md explains it."""
    # By its module: where the names `exec` and `eval` stand, no name is shortened for the start cell.
    import ast, builtins, ctypes, gc, io, linecache, platform, re, select, time, warnings

    code = FILTERS.get(platform.machine() if sys.maxsize >> 32 else "")
    if not code or callable(signal.getsignal(signal.SIGCHLD)):
        return print("nbmedic: cells cannot be tried in this kernel.")
    reader, writer = os.pipe()
    parent, until, told = os.getpid(), time.monotonic() + seconds, b""

    def lock():
        """Installs the filter, made for this process."""
        libc = ctypes.CDLL(None, use_errno=True)
        held = ctypes.create_string_buffer(code.replace(PLACE, os.getpid().to_bytes(4, "little")))
        size = len(code) // 8
        filter = ctypes.create_string_buffer(size.to_bytes(8, "little") + ctypes.addressof(held).to_bytes(8, "little"))
        # PR_SET_NO_NEW_PRIVS; PR_SET_SECCOMP, SECCOMP_MODE_FILTER.
        if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, filter):
            raise Unsafe("this system does not allow the filter")

    def look(names):
        """What names stand for, in words: the look at values calls none of the person's code."""
        line = ", ".join(names) + ", 1 / 0\n"
        linecache.cache["<nbmedic>"] = 1, None, [line], "<nbmedic>"
        try:
            builtins.exec(compile(line, "<nbmedic>", "exec"), shell.user_ns)
        except ZeroDivisionError as error:
            rows = nbmedic_values(shell, error, shown).splitlines()
            return [row.strip() for row in rows if row.startswith("    ")]

    def ran():
        """Runs the cell, and says in words how that ended."""
        refused, space, value = [], shell.user_ns, None
        detach(shell, io.StringIO(), refused)
        began = time.perf_counter()
        try:
            nodes = shell.compile.ast_parse(shell.transform_cell(source)).body
            last = nodes.pop() if nodes and isinstance(nodes[-1], ast.Expr) else None
            with shell.builtin_trap:
                builtins.exec(compile(ast.Module(nodes, []), "<cell>", "exec"), space)
                if last:
                    value = builtins.eval(compile(ast.Expression(last.value), "<cell>", "eval"), space)
        except BaseException as error:
            if isinstance(error, SyntaxError) and re.search("await|async", error.msg or ""):
                return "it could not be tried: it awaits."
            if refused or isinstance(error, OSError) and error.errno in (1, 9, 27, 88, 107):
                name = os.path.basename(str(getattr(error, "filename", None) or ""))
                why = (refused or [f"it writes `{shown(name)}`" if name else "it writes, connects or starts a program"])[0]
                return f"it could not be tried: {why}, which a copy of the kernel may not."
            return f"tried in a copy of this kernel: it fails. {type(error).__name__}: {shown(str(error)[:300])}"
        took = time.perf_counter() - began
        names = [n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        space["_"] = value
        names = [name for name in dict.fromkeys(names) if name in space][-6:] + ["_"] * (value is not None)
        rows = []
        with contextlib.suppress(Exception):
            rows = look(names) if names else []
        words = f"tried in a copy of this kernel: the cell runs ({took:.1f} s)."
        return "\n    ".join([words + " To run it, take its first line away.", *rows])

    with warnings.catch_warnings():
        # A copy of one thread among several is what is wanted here.
        warnings.simplefilter("ignore")
        child = os.fork()
    if not child:
        words = "it could not be tried: nbmedic itself failed."
        try:
            gc.freeze()
            # What caches hold is free, too.
            with open("/proc/meminfo") as file:
                free = int(re.search(r"MemAvailable:\s*(\d+)", file.read())[1]) << 10
            seal(parent, (writer,), seconds, free // 2, lock)
            # Threads of a pool do not survive a fork.
            with contextlib.suppress(Exception):
                import threadpoolctl

                threadpoolctl.threadpool_limits(1)
            with contextlib.suppress(Exception):
                sys.modules["torch"].set_num_threads(1)
            words = ran()
        except Unsafe as problem:
            words = f"it could not be tried: {problem}."
        except BaseException:
            pass
        finally:
            os.write(writer, words.encode()[: 1 << 12])
            os._exit(0)
    os.close(writer)
    try:
        while len(told) < 1 << 12 and select.select([reader], [], [], max(0, until - time.monotonic()))[0]:
            part = os.read(reader, 1 << 12)
            if not part:
                break
            told += part
    finally:
        os.close(reader)
        for kill in os.killpg, os.kill:
            with contextlib.suppress(OSError):
                kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    print("nbmedic:", told.decode(errors="replace") or f"it could not be tried: it had not ended after {seconds} s, or the copy crashed.")
