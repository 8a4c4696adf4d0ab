#!/usr/bin/env python3
"""Runs the programs of this folder in real kernels and writes what they printed.

    capture.py --setup [ENV…]         make the environments of env-*.txt
    capture.py [FAMILY|CASE…]         capture again (all, one file's, or single cases)
    capture.py --list                 what there is

The environments lie in .tools/frameworks/ (or where NBMEDIC_FRAMEWORKS says); old Pythons are
looked for on the PATH and among pyenv's versions. The cases go to tests/fixtures/outputs/, one
file for each family, in the format that `nbmedic score` reads.
"""

import argparse
import glob
import json
import os
import queue
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
OUT = os.path.join(ROOT, "tests", "fixtures", "outputs")
ENVS = os.environ.get("NBMEDIC_FRAMEWORKS") or os.path.join(ROOT, ".tools", "frameworks")
RUNNER = "modern"
# Longest time for one cell, and longest output that is kept (a program that prints more is a mistake).
CELL_SECONDS = 180
MAX_TEXT = 60_000

# The kernel knows the line that failed, so the line found in the text can be checked.
HELPER = r"""
def _nbmedic_line():
    import sys
    tb, cell, line = getattr(sys, 'last_traceback', None), None, None
    while tb is not None:
        name = tb.tb_frame.f_code.co_filename
        if name.startswith('<ipython-input') or '/ipykernel_' in name:
            cell = cell or name
            if name == cell:
                line = tb.tb_lineno
        tb = tb.tb_next
    sys.last_traceback = None
    return line
"""


# --- the programs ---------------------------------------------------------------------------


class Case:
    """One cell of a program: `# %% NAME LABEL [also=…] [env=…] [flag…] [{facts}]`.

    Flags: `fresh` starts a kernel of its own, without the setup cell; `noline` leaves the failing
    line out of the facts; `interrupt=N` presses stop after N seconds. The programs for a GPU
    (tests/gpu) also use `needs=MODULE,…`, `seconds=N`, `env.NAME=VALUE`, `alone` (nothing else may
    use the GPU) and `cpu` (ends in the same way without one).
    """

    def __init__(self, family, head, envs):
        self.family = family
        head, brace, facts = head.partition("{")
        self.facts = json.loads(brace + facts) if brace else {}
        words = head.split()
        self.name, self.label = words[:2]
        options = dict(w.split("=", 1) for w in words[2:] if "=" in w)
        self.flags = {w for w in words[2:] if "=" not in w}
        self.variables = {k[4:]: options.pop(k) for k in [*options] if k.startswith("env.")}
        unknown = self.flags - {"fresh", "noline", "alone", "cpu"}
        unknown |= set(options) - {"also", "env", "interrupt", "format", "needs", "seconds"}
        if unknown:
            raise SystemExit(f"{family}: {self.name}: unknown {sorted(unknown)}")
        self.also = options["also"].split(",") if "also" in options else []
        self.envs = options["env"].split(",") if "env" in options else envs
        self.interrupt = float(options.get("interrupt", 0))
        self.format = options.get("format")
        self.needs = options["needs"].split(",") if "needs" in options else []
        self.seconds = float(options.get("seconds", CELL_SECONDS))
        self.lines = []

    @property
    def source(self):
        return "\n".join(self.lines).strip("\n") + "\n"


class Program:
    """A family's file: a header with `envs:` and `versions:`, a `setup` cell, cases."""

    def __init__(self, path):
        self.file = os.path.basename(path)
        self.family = self.file.rpartition(".")[0]
        self.setup, self.cases = [], []
        self.envs, self.versions, self.needs = [], [], []
        into = None
        for line in open(path, encoding="utf-8").read().split("\n"):
            if line.startswith("# envs:"):
                self.envs = line[7:].split()
            elif line.startswith("# versions:"):
                self.versions = line[11:].split()
            elif line.startswith("# needs:"):
                self.needs = line[8:].split()
            elif line.rstrip() == "# %% setup":
                into = self.setup
            elif line.startswith("# %% "):
                self.cases.append(Case(self.family, line[5:], self.envs))
                into = self.cases[-1].lines
            elif into is not None:
                into.append(line)


def programs():
    paths = glob.glob(os.path.join(HERE, "programs", "*.*py"))
    return [Program(p) for p in sorted(paths)]


# --- the environments -----------------------------------------------------------------------


class Env:
    def __init__(self, name):
        self.name = name
        self.dir = os.path.join(ENVS, name)
        lines = open(os.path.join(HERE, f"env-{name}.txt"), encoding="utf-8").read().splitlines()
        self.version = lines[0].split()[-1]
        self.wants = [l for l in lines if l and not l.startswith("#")]
        # Packages whose requirements contradict the others' are installed without dependencies.
        cut = next((i for i, l in enumerate(lines) if l.startswith("# no-deps")), len(lines))
        self.alone = [l for l in lines[cut:] if l and not l.startswith("#")]
        self.two = self.version.startswith("2.")
        self.site = self.dir if self.two else f"{self.dir}/lib/python{self.version}/site-packages"

    def python(self):
        return find_python(self.version) if self.two else os.path.join(self.dir, "bin", "python")

    def base(self):
        """The folder in which this Python is installed."""
        name = "sys.prefix" if self.two else "sys.base_prefix"
        return os.path.realpath(ask(self.python(), f"import sys; print({name})"))

    def ready(self):
        return bool(glob.glob(self.site + "/ipykernel"))

    def make(self):
        if self.ready():
            return
        base = find_python(self.version)
        pip = [base, "-m", "pip"]
        if not self.two:
            subprocess.run([base, "-m", "venv", self.dir], check=True)
            pip = [self.python(), "-m", "pip"]
        # Python 2 has no venv, so its packages go into one folder.
        into = ["--target", self.dir] if self.two else []
        first = [w for w in self.wants if w not in self.alone]
        subprocess.run([*pip, "install", "-q", *into, *first], check=True)
        if self.alone:
            subprocess.run([*pip, "install", "-q", "--no-deps", *into, *self.alone], check=True)

    def version_of(self, package):
        """The version from the installed package's metadata; `None` if it is not installed."""
        stem = re.sub(r"[-_.]+", "[-_.]", package)
        for path in glob.glob(self.site + "/*-info"):
            m = re.match(rf"(?i){stem}-([^-]+)\.(?:dist|egg)-info$", os.path.basename(path))
            m = m or re.match(rf"(?i){stem}-([^-]+)-py[\d.]+\.egg-info$", os.path.basename(path))
            if m:
                return m[1]
        return None


def ask(python, code):
    done = subprocess.run([python, "-c", code], stdout=subprocess.PIPE, check=True)
    return done.stdout.decode().strip()


def find_python(version):
    pyenv = os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv")
    for path in [
        *glob.glob(f"{pyenv}/versions/{version}.*/bin/python"),
        shutil.which(f"python{version}"),
    ]:
        if path:
            return path
    raise SystemExit(f"Python {version} is needed: python{version} on the PATH, or pyenv's")


# --- a kernel -------------------------------------------------------------------------------


class Kernel:
    """A kernel of an environment in a folder of its own, without this machine's shell settings."""

    def __init__(self, env, setup, more=None):
        from jupyter_client.kernelspec import KernelSpecManager
        from jupyter_client.manager import KernelManager

        self.env = env
        self.temp = os.path.realpath(tempfile.mkdtemp(prefix="nbmedic-"))
        self.cwd = os.path.join(self.temp, "content")
        self.home = os.path.join(self.temp, "root")
        for path in (self.cwd, self.home, os.path.join(self.temp, "kernels", "k")):
            os.makedirs(path)
        argv = [env.python(), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        spec = {"argv": argv, "display_name": "k", "language": "python"}
        with open(os.path.join(self.temp, "kernels", "k", "kernel.json"), "w") as f:
            json.dump(spec, f)
        specs = KernelSpecManager(kernel_dirs=[os.path.join(self.temp, "kernels")])
        self.manager = KernelManager(kernel_name="k", kernel_spec_manager=specs)
        self.manager.connection_file = os.path.join(self.temp, "connection.json")
        if more is not None:
            # Sockets in the folder: several kernels start at once, and there may be no network at all.
            self.manager.transport, self.manager.ip = "ipc", os.path.join(self.temp, "socket")
        bin_dir = os.path.dirname(env.python())
        pip = {k: v for k, v in os.environ.items() if k.startswith("PIP_")}
        variables = {
            **pip,
            "PATH": f"{bin_dir}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "HOME": self.home,
            "LANG": "C.UTF-8",
            "TERM": "xterm-color",
            "PYTHONDONTWRITEBYTECODE": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
        }
        if env.two:
            variables["PYTHONPATH"] = env.site
        variables.update(more or {})
        quiet = open(os.devnull, "w")
        self.manager.start_kernel(cwd=self.cwd, env=variables, stdout=quiet, stderr=quiet)
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=120)
        self.run(HELPER, quiet=True)
        if setup.strip():
            text, _ = self.run(setup, quiet=True)
            if "Traceback (most recent call last)" in text:
                print(text)

    def run(self, source, quiet=False, interrupt=0, seconds=CELL_SECONDS):
        """The text of a cell's outputs, and the cell's line that failed."""
        # By default, the kernel drops the requests that follow a failure.
        request = self.client.execute(
            source, store_history=not quiet, allow_stdin=False, stop_on_error=False
        )
        parts, failed, start = [], False, time.time()
        while True:
            if interrupt and time.time() - start > interrupt:
                self.manager.interrupt_kernel()
                interrupt = 0
            try:
                message = self.client.get_iopub_msg(timeout=0.5)
            except queue.Empty:
                if not self.manager.is_alive():
                    return join(parts), None
                if time.time() - start > seconds:
                    raise TimeoutError
                continue
            if message["parent_header"].get("msg_id") != request:
                continue
            content, kind = message["content"], message["msg_type"]
            if kind == "stream":
                parts.append(("stream", content["text"]))
            elif kind == "error":
                failed = content["ename"] not in ("SyntaxError", "IndentationError", "TabError")
                parts.append(("error", "\n".join(content["traceback"])))
            elif kind in ("display_data", "execute_result") and "text/plain" in content["data"]:
                parts.append((kind, content["data"]["text/plain"]))
            elif kind == "status" and content["execution_state"] == "idle":
                break
        self.client.get_shell_msg(timeout=10)
        return join(parts), self.line() if failed else None

    def line(self):
        self.client.execute("", silent=True, user_expressions={"n": "_nbmedic_line()"})
        while True:
            reply = self.client.get_shell_msg(timeout=20)["content"]
            if "n" in reply.get("user_expressions", {}):
                text = reply["user_expressions"]["n"].get("data", {}).get("text/plain", "None")
                return None if text == "None" else int(text)

    def stop(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
        shutil.rmtree(self.temp, ignore_errors=True)


def join(parts):
    """The text as a front end shows it: parts of a stream are joined, other outputs start a new line."""
    text = ""
    last = None
    for kind, piece in parts:
        if text and not (kind == last == "stream") and not text.endswith("\n"):
            text += "\n"
        text += piece
        last = kind
    return text


# --- what it printed ------------------------------------------------------------------------


def plain(text, kernel):
    """The text with this machine's names replaced, in the same way every time."""
    env = kernel.env
    minor = ".".join(env.version.split(".")[:2])
    for here, there in [
        (kernel.cwd, "/content"),
        (kernel.home, "/root"),
        (kernel.temp, "/tmp/session"),
        (env.site, f"/usr/local/lib/python{minor}/dist-packages"),
        (env.dir, "/usr/local"),
        (f"{env.base()}/lib/python", "/usr/lib/python"),
        (env.base(), "/usr"),
        (os.uname().release, "6.6.105+"),
    ]:
        # TensorFlow 2.5 omits the first slash.
        text = text.replace(here, there).replace(here.lstrip("/"), there.lstrip("/"))
    text = re.sub(rf"(?<![\w.-]){re.escape(socket.gethostname())}(?=:\d)", "runtime", text)
    # An abbreviated home folder is replaced too.
    text = re.sub(r"~/\.pyenv/versions/[\d.]+", "/usr", text)
    text = re.sub(r"(?m)^Looking in (?:links|indexes): .*\r?\n", "", text)
    text = re.sub(r"/ipykernel_\d+/", "/ipykernel_4242/", text)
    text = numbered(text, r"/tmp/tmp([a-z0-9_]{8})(?![\w])", lambda n, _: f"{n:08}")
    text = numbered(text, r"\b0x(?=[0-9a-f]*[a-f0-9]{6})([0-9a-f]{8,16})\b", address)
    text = numbered(text, r"(?i)\bpids?[ =:(]+(\d{2,7})\b", lambda n, _: str(4300 + n))
    return text


def address(n, was):
    return f"{0x7F3A00000000 + 0x1F40 * n:x}".rjust(len(was), "0")[-len(was) :]


def numbered(text, pattern, name):
    """Renames what the first group matches, numbered in order of appearance."""
    seen = {}

    def replace(m):
        new = seen.setdefault(m[1], name(len(seen) + 1, m[1]))
        return m[0][: m.start(1) - m.start()] + new + m[0][m.end(1) - m.start() :]

    return re.sub(pattern, replace, text)


def record(case, program, env, kernel, text, line):
    text = plain(text, kernel)
    if len(text) > MAX_TEXT:
        raise SystemExit(f"{case.name}: {len(text)} characters")
    facts = dict(case.facts)
    # Not if IPython's arrow points elsewhere (it shows the end of a `finally`) or nowhere.
    shown = re.search(rf"-> *{line}\b", re.sub(r"\x1b\[[0-9;]*m", "", text))
    if line and shown and "noline" not in case.flags:
        facts.setdefault("cell_line", line)
    packages = ["ipykernel", "ipython", *program.versions]
    versions = {p: v for p in packages if (v := env.version_of(p))}
    return {
        "id": f"{case.name}-{env.name}",
        "label": case.label,
        "also": case.also,
        "facts": facts,
        "text": text,
        "made": {
            "program": program.file,
            "python": ask(env.python(), "import platform; print(platform.python_version())"),
            "versions": versions,
        },
    }


def capture(program, wanted):
    """Runs a program's cases. Yields each environment's records by id."""
    names = [n for n in dict.fromkeys(e for c in program.cases for e in c.envs)]
    for name in names:
        cases = [c for c in program.cases if name in c.envs and wanted(c, name)]
        if not cases:
            continue
        env = Env(name)
        if not env.ready():
            raise SystemExit(f"{name} is missing: capture.py --setup {name}")
        kernel, made = None, {}
        for case in cases:
            if kernel is None or "fresh" in case.flags:
                kernel and kernel.stop()
                kernel = Kernel(env, "" if "fresh" in case.flags else "\n".join(program.setup))
            start = time.time()
            try:
                text, line = kernel.run(case.source, interrupt=case.interrupt)
            except TimeoutError:
                print(f"{case.name}-{name}: over {CELL_SECONDS} s, left as it was")
                kernel.stop()
                kernel = None
                continue
            if case.label == "none" and "Traceback (most recent call last)" in text:
                print(f"{case.name}-{name}: benign, and yet a traceback")
            if not text.strip():
                print(f"{case.name}-{name}: printed nothing")
            one = record(case, program, env, kernel, text, line)
            made[one["id"]] = one
            took = time.time() - start
            print(f"{one['id']:44} {case.label:24} {len(text):6} {took:5.1f} s", flush=True)
            if "fresh" in case.flags or not kernel.manager.is_alive():
                kernel.stop()
                kernel = None
        kernel and kernel.stop()
        yield made


def written():
    """Outputs that need special hardware, written from the formats in the programs' sources."""
    out = []
    path = os.path.join(HERE, "written.txt")
    case = None
    for line in open(path, encoding="utf-8").read().split("\n"):
        if line.startswith("# %% "):
            case = Case("written", line[5:], [])
            out.append(case)
        elif case:
            case.lines.append(line)
    return [
        {
            "id": c.name,
            "label": c.label,
            "also": c.also,
            "facts": c.facts,
            "text": c.source,
            "made": {"written": True, "format": c.format},
        }
        for c in out
    ]


def store(family, records):
    os.makedirs(OUT, exist_ok=True)
    with open(os.path.join(OUT, family + ".jsonl"), "w", encoding="utf-8") as f:
        for one in records:
            f.write(json.dumps(one, ensure_ascii=False) + "\n")


def stored(family):
    path = os.path.join(OUT, family + ".jsonl")
    if not os.path.exists(path):
        return {}
    lines = open(path, encoding="utf-8").read().split("\n")
    return {r["id"]: r for r in map(json.loads, filter(None, lines))}


def main():
    plain_help = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain_help)
    parser.add_argument("--setup", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    if args.setup:
        every = [os.path.basename(p)[4:-4] for p in glob.glob(os.path.join(HERE, "env-*.txt"))]
        for name in args.names or sorted(every):
            print(f"{name} …", flush=True)
            Env(name).make()
        return
    if args.list:
        for program in programs():
            for case in program.cases:
                print(f"{program.family:12} {case.name:32} {case.label:24} {','.join(case.envs)}")
        return
    try:
        import jupyter_client  # noqa: F401
    except ImportError:
        python = Env(RUNNER).python()
        if not os.path.exists(python):
            raise SystemExit(f"no environments yet: {os.path.basename(__file__)} --setup")
        os.execv(python, [python, *sys.argv])
    names = set(args.names)
    for program in programs():
        whole = not names or program.family in names

        def wanted(case, env):
            return whole or case.name in names or f"{case.name}-{env}" in names

        order = [f"{c.name}-{e}" for c in program.cases for e in c.envs]
        for made in capture(program, wanted):
            old = stored(program.family)
            store(program.family, [r for i in order if (r := made.get(i) or old.get(i))])
    if not names or "written" in names:
        store("written", written())


if __name__ == "__main__":
    main()
