"""A real kernel under real limits, and a notebook that runs in it cell by cell."""

import contextlib
import functools
import glob
import os
import pathlib
import queue
import re
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests/probe"))
V1, V2 = pathlib.Path("/sys/fs/cgroup/memory"), pathlib.Path("/sys/fs/cgroup")


class Group:
    """A control group for one run: version 1 or 2, otherwise a systemd scope."""

    def __init__(self, limit):
        self.paths, self.prefix = [], []
        name = f"nbmedic-proof-{os.getpid()}-{secrets.token_hex(4)}"
        if (V1 / "memory.limit_in_bytes").exists():
            if "memory" in limit:
                self.make(V1 / name, {"memory.limit_in_bytes": limit["memory"]})
            if "processes" in limit:
                self.make(V1.parent / "pids" / name, {"pids.max": limit["processes"]})
        elif (V2 / "cgroup.controllers").exists() and os.access(V2 / "cgroup.procs", os.W_OK):
            values = {"memory.max": limit.get("memory"), "pids.max": limit.get("processes")}
            self.make(V2 / name, {k: v for k, v in values.items() if v})
            with contextlib.suppress(OSError):
                (V2 / name / "memory.swap.max").write_text("0")
        else:
            self.prefix = ["systemd-run", "--quiet", "--scope", "--user"]
            if "memory" in limit:
                self.prefix += ["-p", f"MemoryMax={limit['memory']}", "-p", "MemorySwapMax=0"]
            if "processes" in limit:
                self.prefix += ["-p", f"TasksMax={limit['processes']}"]

    def make(self, path, values):
        path.mkdir()
        self.paths.append(path)
        for file, value in values.items():
            (path / file).write_text(str(value))

    def close(self):
        for path in self.paths:
            for _ in range(200):
                with contextlib.suppress(OSError):
                    for pid in (path / "cgroup.procs").read_text().split():
                        os.kill(int(pid), signal.SIGKILL)
                    path.rmdir()
                    break
                time.sleep(0.05)


@functools.cache
def index():
    """Whether packages can be installed."""
    ask = [sys.executable, "-m", "pip", "index", "versions", "pip"]
    return not subprocess.run(ask, capture_output=True, stdin=subprocess.DEVNULL).returncode


def missing(case):
    """Why a case can't run here, or an empty string."""
    if "gpu" in case.needs and not pathlib.Path("/dev/nvidiactl").exists():
        return "needs an NVIDIA GPU"
    if lacking := [name for name in case.programs if not shutil.which(name)]:
        return f"needs {', '.join(lacking)}"
    if "index" in case.needs and not index():
        return "needs a package index"
    if "no-gpu" in case.needs and pathlib.Path("/dev/nvidiactl").exists():
        return "shows what happens without a GPU"
    if not sys.platform.startswith("linux"):
        return "needs Linux" if case.limit else ""
    if {"memory", "processes"} & set(case.limit):
        try:
            group = Group(case.limit)
        except OSError as error:
            return f"cannot limit memory here: {error.strerror}"
        group.close()
        if group.prefix and subprocess.run([*group.prefix, "true"], capture_output=True).returncode:
            return "cannot limit memory here: no control group may be made, and systemd-run makes no scope"
    if {"disk", "shm"} & set(case.limit):
        if subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", "/mnt"], capture_output=True).returncode:
            return "cannot mount a small file system here (not root)"
    return ""


class Kernel:
    """A kernel of an environment, in a folder of its own, under the case's limits. The folder outlives it."""

    def __init__(self, python, case, base, below):
        from jupyter_client import BlockingKernelClient, write_connection_file

        from kernels import answers

        self.base, self.case, self.python, self.below = pathlib.Path(base), case, python, below
        self.folder = self.base / "content"
        self.signals = [(case.kill, signal.SIGKILL), (case.interrupt, signal.SIGINT)]
        for name in ("content", "root", "run"):
            (self.base / name).mkdir(exist_ok=True)
        file = str(self.base / "run" / f"kernel-{secrets.token_hex(6)}.json")
        # Sockets in the folder, because another case may take a free port before the kernel binds it.
        write_connection_file(file, transport="ipc", ip=file.removesuffix(".json"))
        self.group = Group(case.limit) if {"memory", "processes"} & set(case.limit) else None
        self.process = subprocess.Popen(
            self.command(file), cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True,
        )
        self.client = BlockingKernelClient(connection_file=file)
        self.client.load_connection_file()
        self.client.start_channels(hb=False)
        end = time.monotonic() + 180
        while not answers(self.client):
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"the kernel did not start (status {self.process.poll()})")

    def command(self, file):
        limit, lines = self.case.limit, []
        for path in self.group.paths if self.group else []:
            lines.append(f"echo $$ > {shlex.quote(str(path / 'cgroup.procs'))}")
        # In a mount namespace of its own, which ends with the kernel.
        if "shm" in limit:
            lines.append(f"mount -t tmpfs -o size={limit['shm']} tmpfs /dev/shm")
        if "disk" in limit:
            folder = shlex.quote(str(self.folder))
            # Keeps what earlier runs left there, if a case asks for it.
            lines += [f"cp -a {folder} {folder}.before", f"mount -t tmpfs -o size={limit['disk']} tmpfs {folder}"]
            lines += [f"cp -a {folder}.before/. {folder}/", f"rm -rf {folder}.before", f"cd {folder}"]
        if "files" in limit:
            # The hard limit stays, so that a program may raise its own limit.
            lines.append(f"ulimit -Sn {limit['files']}")
        if "address_space" in limit:
            lines.append(f"ulimit -v {limit['address_space'] // 1024}")
        if "file_size" in limit:
            lines.append(f"ulimit -f {limit['file_size'] // 1024}")
        lines.append(f"exec {shlex.quote(str(self.python))} -m ipykernel_launcher -f {shlex.quote(file)}")
        own = ["unshare", "-m", "--propagation", "private"] if {"shm", "disk"} & set(limit) else []
        return [*(self.group.prefix if self.group else []), *own, "bash", "-e", "-c", "\n".join(lines)]

    def environment(self):
        kept = {k: v for k, v in os.environ.items() if k.startswith(("PIP_", "CUDA_", "NVIDIA_")) or k == "LD_LIBRARY_PATH"}
        home = self.base / "root"
        # An environment of its own is based on that of the case.
        path = ":".join(dict.fromkeys([str(self.python.parent), str(self.below.parent)]))
        return {
            **kept, "PATH": f"{path}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(home), "LANG": "C.UTF-8",
            "TERM": "xterm-color", "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "TF_CPP_MIN_LOG_LEVEL": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_OFFLINE": "1", "IPYTHONDIR": str(home / ".ipython"), **self.case.variables,
        }

    def run(self, code, seconds, answers=()):
        """Runs one cell. Returns its outputs in the notebook format, and how it ended: "", "error" or "died"."""
        answers = list(answers)
        signals = [(pattern, number) for pattern, number in self.signals if pattern]
        asked = self.client.execute(code, allow_stdin=bool(answers), stop_on_error=False)
        outputs, error, end, gone = [], "", time.monotonic() + seconds, 0
        while True:
            if answers:
                with contextlib.suppress(queue.Empty):
                    self.client.get_stdin_msg(timeout=0)
                    self.client.input(answers.pop(0))
            try:
                message = self.client.get_iopub_msg(timeout=0.5)
            except queue.Empty:
                if self.process.poll() is not None:
                    # Messages sent before the end may still be on their way.
                    gone += 1
                    if gone > 2:
                        return outputs, "died"
                elif time.monotonic() > end:
                    raise TimeoutError(f"over {seconds} s") from None
                continue
            if message["parent_header"].get("msg_id") != asked:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "stream":
                if outputs and outputs[-1].get("name") == content["name"]:
                    outputs[-1]["text"] += content["text"]
                else:
                    outputs.append({"output_type": "stream", "name": content["name"], "text": content["text"]})
                for one in [s for s in signals if re.search(s[0], outputs[-1]["text"])]:
                    os.kill(self.pid(), one[1])
                    signals.remove(one)
            elif kind == "error":
                error = "error"
                outputs.append({"output_type": "error", **{k: content[k] for k in ("ename", "evalue", "traceback")}})
            elif kind in ("display_data", "execute_result") and "text/plain" in content["data"]:
                one = {"output_type": kind, "metadata": {}, "data": {"text/plain": content["data"]["text/plain"]}}
                outputs.append({**one, "execution_count": content["execution_count"]} if kind == "execute_result" else one)
            elif kind == "status" and content["execution_state"] == "idle":
                return outputs, error or self.refused(asked)

    def refused(self, asked):
        """"error" for a cell that failed without an error output: IPython prints some errors as text."""
        while True:
            reply = self.client.get_shell_msg(timeout=60)
            if reply["parent_header"].get("msg_id") == asked:
                return "error" if reply["content"]["status"] == "error" else ""

    def pid(self):
        """The kernel's process id, which may be below the helper process of a scope or namespace."""
        pids = [self.process.pid]
        for pid in pids:
            with contextlib.suppress(OSError):
                pids += map(int, pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
            with contextlib.suppress(OSError):
                if b"ipykernel_launcher" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0"):
                    return pid
        return self.process.pid

    def close(self):
        self.client.stop_channels()
        self.client.context.destroy(linger=0)
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self.group:
            self.group.close()


class Run:
    """The result of running a notebook: `end` is "", "error" or "died"; `cell` is the cell, from 1."""

    def __init__(self, notebook, end, cell, flight):
        self.notebook, self.end, self.cell, self.flight = notebook, end, cell, flight

    def text(self):
        """The failing cell's last output, in one line."""
        if self.end == "died":
            return "the kernel died"
        if self.end:
            outputs = [c for c in self.notebook["cells"] if c["cell_type"] == "code"][self.cell - 1]["outputs"]
            last = next((o for o in reversed(outputs) if o["output_type"] == "error"), None)
            if last is None:
                return outputs[-1]["text"].strip().split("\n")[-1]
            return f"{last['ename']}: {last['evalue']}".split("\n")[0]
        return "ends well"


def run(python, case, notebook, base, start="", answers=()):
    """Runs the notebook from the top until a cell fails. `start` is the probe's cell, which runs first if the case needs it;
    `answers` is the input for cells that ask."""
    kernel = Kernel(own(python, base) if case.own else python, case, base, python)
    try:
        if case.probe:
            outputs, end = kernel.run(start, case.seconds)
            if end or "⟦nbmedic:1" not in str(outputs):
                raise RuntimeError(f"the probe did not start: {outputs}")
            time.sleep(0.6)  # time for the probe's first samples
        number = 0
        for cell in notebook["cells"]:
            if cell["cell_type"] != "code":
                continue
            number += 1
            code = cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])
            cell["outputs"], end = kernel.run(code, case.seconds, answers)
            end = end or failed(case, cell["outputs"])
            cell["execution_count"] = None if end == "died" else number
            if end == "died" or end and "raises-exception" not in cell["metadata"].get("tags", []):
                return Run(notebook, end, number, flight(kernel) if end == "died" and case.probe else [])
        return Run(notebook, "", 0, [])
    finally:
        kernel.close()


def flight(kernel):
    """The flight record's lines, once the probe has written how the kernel ended."""
    path, end = kernel.folder / "nbmedic-flight/nbmedic-flight.jsonl", time.monotonic() + 60
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            lines = path.read_text(encoding="utf-8").splitlines()
            if any('"k":"end"' in line for line in lines):
                return lines
        time.sleep(0.05)
    raise RuntimeError("the probe wrote no end")


def failed(case, outputs):
    """"error" if the output shows that a command of the cell failed, which IPython treats as a success."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", "".join(output.get("text", "") for output in outputs))
    return "error" if case.failed and re.search(case.failed, text) else ""


def own(python, base):
    """The Python of an environment on top of the case's, where the program installs packages."""
    folder = pathlib.Path(base) / "env"
    if not folder.exists():
        ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
        subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
        below, above = (
            subprocess.run([p, "-c", ask], capture_output=True, text=True, check=True).stdout.strip() for p in (python, folder / "bin/python")
        )
        (pathlib.Path(above) / "below.pth").write_text(below + "\n")
        pip = folder / "bin/pip"
        pip.write_text(f"#!{folder}/bin/python\nimport sys\nfrom pip._internal.cli.main import main\nsys.exit(main())\n")
        pip.chmod(0o755)
    return folder / "bin/python"


def copy(base):
    """A copy of the files that a run left."""
    other = f"{base}.{secrets.token_hex(4)}"
    shutil.copytree(base, other, symlinks=True, ignore=shutil.ignore_patterns("again-*"))
    return other


@contextlib.contextmanager
def place():
    """A folder for the runs of one case."""
    base = tempfile.mkdtemp(prefix="nbmedic-proof-")
    try:
        yield os.path.realpath(base)
    finally:
        for path in glob.glob(f"{glob.escape(base)}*"):
            shutil.rmtree(path, ignore_errors=True)
