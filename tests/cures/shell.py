"""One IPython shell that runs cells in this process and keeps what a front end would save of them."""

import os
import sys
import warnings

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

# What a front end saves of an output, besides its pictures, which no verdict depends on.
SAVED = ("text/plain", "text/html")
# A cell prints at most this many characters; the rest is dropped, as front ends do.
MOST = 200_000


class Stream:
    """stdout or stderr of the running cell."""

    encoding, errors, closed, softspace = "utf-8", "replace", False, 0

    def __init__(self, name, outputs):
        self.name, self.outputs = name, outputs

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text)}")
        last = self.outputs[-1] if self.outputs else {}
        if last.get("output_type") == "stream" and last["name"] == self.name:
            if len(last["text"]) < MOST:
                last["text"] += text
        elif text:
            self.outputs.append({"output_type": "stream", "name": self.name, "text": text})
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def flush(self):
        pass

    def isatty(self):
        return False

    def writable(self):
        return True

    def readable(self):
        return False

    def fileno(self):
        return {"stdout": 1, "stderr": 2}[self.name]


def bundle(data):
    return {kind: data[kind] for kind in SAVED if kind in data}


class Publisher(DisplayPublisher):
    """display()"""

    outputs = None

    def publish(self, data, metadata=None, *_, **more):
        if kept := bundle(data):
            self.outputs.append({"output_type": "display_data", "data": kept, "metadata": {}})

    def clear_output(self, wait=False):
        self.outputs.clear()


class Hook(DisplayHook):
    """The value of a cell's last expression."""

    outputs = None

    def write_output_prompt(self):
        pass

    def write_format_data(self, format_dict, md_dict=None):
        if kept := bundle(format_dict):
            count = self.shell.execution_count
            self.outputs.append({"output_type": "execute_result", "data": kept, "metadata": {}, "execution_count": count})

    def finish_displayhook(self):
        pass


class Shell(InteractiveShell):
    def init_display_formatter(self):
        super().init_display_formatter()
        # A kernel's formatter makes every form of a value, not only the plain one.
        self.display_formatter.active_types = self.display_formatter.format_types

    def _showtraceback(self, etype, evalue, stb):
        try:
            said = str(evalue)
        except Exception:
            said = ""
        # As a kernel's shell keeps it.
        self._last_traceback = list(stb)
        self.kept.append({"output_type": "error", "ename": str(etype.__name__), "evalue": said, "traceback": list(stb)})

    def init_history(self):
        super().init_history()
        # The history's thread does not live on in a forked process.
        self.history_manager.enabled = False

    def system(self, cmd):
        raise RuntimeError("no commands here")

    def enable_gui(self, gui=None):
        pass


def shell():
    """The shell of this process, made as a kernel makes its own."""
    from ipykernel.compiler import XCachingCompiler
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.hist_file = ":memory:"
    config.HistoryManager.enabled = False
    config.InteractiveShell.autocall = 0
    config.InteractiveShell.cache_size = 1000
    config.InteractiveShell.colors = "linux"
    config.InlineBackend.figure_formats = set()
    Shell.displayhook_class, Shell.display_pub_class = Hook, Publisher
    Shell.compiler_class = XCachingCompiler
    made = Shell.instance(config=config)
    made.kept = []
    return made


def run(made, source, position):
    """Runs one cell. Returns its outputs, and its error if it failed."""
    outputs = []
    made.kept = made.display_pub.outputs = made.displayhook.outputs = outputs
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = Stream("stdout", outputs), Stream("stderr", outputs)
    try:
        done = made.run_cell(source, store_history=True, cell_id=f"cell-{position}")
    finally:
        sys.stdout, sys.stderr = before
    return outputs, done.error_in_exec or done.error_before_exec


def settle():
    """What the process of a run must have before libraries are loaded."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "POLARS_MAX_THREADS", "LOKY_MAX_CPU_COUNT"):
        os.environ[name] = "1"
    os.environ.update({
        "MPLBACKEND": "module://matplotlib_inline.backend_inline", "TF_CPP_MIN_LOG_LEVEL": "3", "HF_HUB_OFFLINE": "1", "PYTHONHASHSEED": "0",
        "HF_HUB_DISABLE_TELEMETRY": "1", "CUDA_VISIBLE_DEVICES": "", "TOKENIZERS_PARALLELISM": "false", "JAX_PLATFORMS": "cpu",
    })
    warnings.simplefilter("default")
