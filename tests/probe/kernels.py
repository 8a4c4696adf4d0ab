"""Real Jupyter servers and kernels, with the start cell in them."""

import contextlib
import gc
import json
import os
import pathlib
import queue
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import zmq
from jupyter_client import BlockingKernelClient, write_connection_file

# A client that is collected with a socket still open waits for it for ever. These programs run for minutes at most.
gc.disable()
PATIENCE = 90.0  # longest time for anything on a loaded machine, in seconds
SENDING_MS = 5000  # longest time for a message to leave; without a bound, one to a port of another program waits for ever


def until(what, found, patience=PATIENCE):
    end = time.monotonic() + patience
    while True:
        value = found()
        if value:
            return value
        if time.monotonic() > end:
            raise TimeoutError(f"{what} did not happen in {patience:.0f} s")
        time.sleep(0.02)


def place(folder):
    """Where the start cell writes in the folder of a notebook."""
    return pathlib.Path(folder) / "nbmedic-flight"


def record(folder, name="nbmedic-flight"):
    """The lines of a flight record in the folder of a notebook, the older part first."""
    lines = []
    for part in (f"{name}.1.jsonl", f"{name}.jsonl"):
        with contextlib.suppress(FileNotFoundError), open(place(folder) / part, encoding="utf-8") as file:
            lines += [json.loads(line) for line in file.read().splitlines(keepends=True) if line.endswith("\n")]
    return lines


def stat(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def answers(client):
    """Whether a kernel answers on both channels: what it publishes before a front end subscribes is lost."""
    with contextlib.suppress(queue.Empty, zmq.Again):
        asked = client.kernel_info()
        while client.get_iopub_msg(timeout=1)["parent_header"].get("msg_id") != asked:
            pass
        while client.get_shell_msg(timeout=1)["parent_header"].get("msg_id") != asked:
            pass
        return True


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A Jupyter server of this Python, with a folder of its own."""

    def __init__(self, *options, **env):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="nbmedic-soak-"))
        self.root = self.folder / "notebooks"
        self.root.mkdir()
        self.token = secrets.token_hex(12)
        self.runtime = self.folder / "runtime"
        env = {
            **os.environ, "JUPYTER_RUNTIME_DIR": str(self.runtime), "JUPYTER_CONFIG_DIR": str(self.folder / "config"),
            "JUPYTER_DATA_DIR": str(self.folder / "data"), "IPYTHONDIR": str(self.folder / "ipython"),
            "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1", **env,
        }
        self.log = open(self.folder / "log", "w")
        self.pids, self.starts, self.process = set(), 0, None
        self.start = lambda port: subprocess.Popen(
            [
                sys.executable, "-m", "jupyter_server", "--allow-root", "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}",
                f"--IdentityProvider.token={self.token}", f"--ServerApp.root_dir={self.root}", "--ServerApp.open_browser=False", *options,
            ],
            env=env, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT, start_new_session=True,
        )
        until("the server's start", self.answers)

    def answers(self):
        """Whether the server answers. A port that was free may be taken before it has it: it then takes another, and says which;
        or it ends, and is started again."""
        if self.process is None or self.process.poll() is not None:
            self.starts += 1
            if self.starts > 3:
                raise RuntimeError((self.folder / "log").read_text()[-2000:])
            self.process = self.start(free_port())
        with contextlib.suppress(OSError, ValueError):
            self.port = json.loads((self.runtime / f"jpserver-{self.process.pid}.json").read_text())["port"]
            return self.ask("GET", "/api") is not None

    def ask(self, method, path, body=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"token {self.token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.loads(answer.read() or b"null")

    def launch(self, folder):
        return self.ask("POST", "/api/kernels", {"path": folder.name})["id"]

    def end(self, kernel):
        with contextlib.suppress(OSError):
            self.ask("DELETE", f"/api/kernels/{kernel}")

    def alive(self):
        return self.process.poll() is None

    def close(self):
        for pid in self.pids:
            # Only a process of this session: the number may belong to another process by now.
            with contextlib.suppress(OSError):
                if stat(pid) and self.runtime.name in pathlib.Path(f"/proc/{pid}/cmdline").read_text():
                    os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


# Starts a program with a /dev/shm of its own, of 16 MiB.
SMALL_SHM = ("unshare", "--mount", "sh", "-c", 'mount -t tmpfs -o size=16m tmpfs /dev/shm && exec "$@"', "sh")


class Reaper:
    """A parent of kernels that only waits for their end and reaps them at once. Has the interface of a server."""

    def __init__(self, before=(), **env):
        """`before`: a command that starts the kernel's."""
        self.before, self.folder = before, pathlib.Path(tempfile.mkdtemp(prefix="nbmedic-soak-"))
        self.root = self.runtime = self.folder
        self.env = {**os.environ, "IPYTHONDIR": str(self.folder / "ipython"), "PYTHONDONTWRITEBYTECODE": "1", **env}
        self.children, self.pids = {}, set()

    def launch(self, folder):
        kernel = secrets.token_hex(8)
        file = str(self.folder / f"kernel-{kernel}.json")
        write_connection_file(file)
        child = subprocess.Popen(
            [*self.before, sys.executable, "-m", "ipykernel_launcher", "-f", file], cwd=folder, env=self.env, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )
        threading.Thread(target=child.wait, daemon=True).start()
        self.children[kernel] = child
        return kernel

    def end(self, kernel):
        self.children[kernel].kill()

    def alive(self):
        return True

    def close(self):
        for child in self.children.values():
            child.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Kernel:
    """A kernel that the server runs, and its client."""

    def __init__(self, server, folder=None):
        self.server = server
        self.folder = folder or pathlib.Path(tempfile.mkdtemp(dir=server.root))
        for left in (2, 1, 0):
            self.id, self.client, self.ports = server.launch(self.folder), None, None
            try:
                return self.connect(PATIENCE if left == 0 else PATIENCE / 3)
            except (TimeoutError, ValueError):
                # Another program may have taken one of its ports after they were chosen; the kernel then stays silent. Or another
                # kernel has: then messages come that this one has not signed.
                if left == 0:
                    raise
                server.end(self.id)

    def connect(self, patience=PATIENCE):
        if self.client:
            self.client.stop_channels()
            self.client.context.destroy(linger=0)
        self.client = None
        until("the kernel's first word", self.answers, patience)
        self.pid = int(self.value("__import__('os').getpid()"))
        self.server.pids.add(self.pid)

    def answers(self):
        """Whether it answers on its current ports; a server may restart it with others."""
        try:
            ports = json.loads((self.server.runtime / f"kernel-{self.id}.json").read_text())
        except (OSError, ValueError):
            return False  # The file is being written.
        if self.client is None or ports != self.ports:
            if self.client:
                self.client.stop_channels()
                # Collected later, with a socket still open, it would wait for ever.
                self.client.context.destroy(linger=0)
            self.client, self.ports = BlockingKernelClient(), ports
            self.client.load_connection_info(ports)
            self.client.start_channels(hb=False, stdin=False)
            self.client.shell_channel.socket.sndtimeo = SENDING_MS
        return answers(self.client)

    def start(self, code):
        return self.client.execute(code)

    def messages(self, seconds=0.0):
        """The messages from the kernel to its front ends; waits the given time for more."""
        found, end = [], time.monotonic() + seconds
        while True:
            try:
                found.append(self.client.get_iopub_msg(timeout=max(0.0, end - time.monotonic())))
            except queue.Empty:
                return found

    def run(self, code, patience=PATIENCE, fails=False):
        """Runs a cell and returns the messages up to its end. Fails if the cell does, unless that is wanted."""
        asked, found, end = self.start(code), [], time.monotonic() + patience
        while True:
            message = self.client.get_iopub_msg(timeout=max(0.0, end - time.monotonic()))
            found.append(message)
            if message["parent_header"].get("msg_id") == asked:
                if message["msg_type"] == "error" and not fails:
                    raise RuntimeError("\n".join(message["content"]["traceback"]))
                if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                    return found

    def value(self, expression):
        asked = self.client.execute("", user_expressions={"value": expression}, silent=False, store_history=False)
        while True:
            reply = self.client.get_shell_msg(timeout=PATIENCE)
            if reply["parent_header"].get("msg_id") == asked:
                return reply["content"]["user_expressions"]["value"]["data"]["text/plain"]

    def lines(self, kind):
        return [line for line in record(self.folder) if line["k"] == kind]

    def close(self):
        self.client.stop_channels()
        self.client.context.destroy(linger=0)
        if self.server.alive():
            self.server.end(self.id)


def text(messages):
    """All displayed text, in order."""
    shown = []
    for message in messages:
        content = message["content"]
        if message["msg_type"] == "stream":
            shown.append(content["text"])
        elif message["msg_type"] in ("display_data", "update_display_data", "execute_result"):
            shown.append(content["data"].get("text/plain", ""))
    return "\n".join(shown)
