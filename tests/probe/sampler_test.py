"""Tests the Python sampler without a kernel: that it finds the right control group, judges as the library does, and sees
the GPUs that the native probe sees. `sampler_test.py VERDICT PROGRAM NVML FIRST_LINE`: the library's example of that name, the
native probe, the library that simulates NVIDIA's, and the example of src/secrets, all built."""

import ast
import concurrent.futures
import hashlib
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import traceback
import types

import first_line
import table
from deaths import verdict

CELL = pathlib.Path(__file__).resolve().parents[2] / "probe/cell"


def load():
    module = types.ModuleType("sampler")
    exec("".join((CELL / name).read_text() for name in ("sampler.py", "judge.py", "gpus.py")), module.__dict__)
    return module


def grouped(files):
    """A sampler that sees only these files."""
    module = load()
    module.read = lambda path: files.get(path, "")
    module.os = types.SimpleNamespace(path=types.SimpleNamespace(exists=files.__contains__))
    sampler = object.__new__(module.Sampler)
    sampler.pid = 42
    sampler.find_group()
    return sampler


def a_group_of_version_2_in_its_own_namespace():
    root = "/sys/fs/cgroup/memory."
    sampler = grouped({
        "/proc/42/cgroup": "0::/\n", root + "current": "1000\n", root + "max": "8000\n", root + "stat": "anon 5\ninactive_file 300\n",
        root + "events": "low 0\nmax 3\noom 1\noom_kill 2\noom_group_kill 7\n", "/proc/vmstat": "nr_x 1\noom_kill 5\n",
    })
    assert (sampler.limit, sampler.used(), sampler.exact, sampler.kills()) == (8000, 700, True, [5, 2, None])


def a_group_of_version_2_as_it_was_recorded():
    kept = lambda name: (CELL.parent / "tests/library/fixtures" / f"v2-{name}").read_text()
    slice_, leaf = "/sys/fs/cgroup/user.slice", "/sys/fs/cgroup/user.slice/jupyter.scope"
    files = {f"{leaf}/memory.{name}": kept(f"memory.{name}") for name in ("current", "max", "events", "stat")}
    sampler = grouped({"/proc/42/cgroup": kept("cgroup"), f"{slice_}/memory.current": "1", f"{slice_}/memory.max": kept("slice-memory.max"), **files})
    assert (sampler.limit, sampler.used(), sampler.exact, sampler.kills()) == (64 << 20, 8548352, True, [None, 1, None])


def the_tightest_limit_above():
    slice_, leaf = "/sys/fs/cgroup/a.slice", "/sys/fs/cgroup/a.slice/b.scope"
    files = {"/proc/42/cgroup": "0::/a.slice/b.scope\n"}
    for folder, limit, used in ((leaf, "max", 10), (slice_, "500", 400)):
        files |= {f"{folder}/memory.current": str(used), f"{folder}/memory.max": limit, f"{folder}/memory.stat": "inactive_file 1", f"{folder}/memory.events": f"oom_kill {used}"}
    sampler = grouped(files)
    # Usage and limit belong to the same group; the kills are those of the kernel's own group.
    assert (sampler.limit, sampler.used(), sampler.kills()[1], sampler.exact) == (500, 399, 10, True)


def version_1_of_a_container_that_sees_the_machines_path():
    root = "/sys/fs/cgroup/memory/memory."
    sampler = grouped({
        "/proc/42/cgroup": "5:memory,hugetlb:/docker/0123\n0::/\n", root + "usage_in_bytes": "900", root + "limit_in_bytes": "9223372036854771712",
        root + "oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n", root + "stat": "total_inactive_file 100\n",
    })
    # Here it is unknown whether it is the kernel's own group.
    assert (sampler.limit, sampler.used(), sampler.kills()[1], sampler.exact) == (None, 800, 3, False)


def colab():
    own = "/var/colab/cgroup/jupyter-children/memory."
    sampler = grouped({
        "/proc/42/cgroup": "0::/../../jupyter-children\n", own + "current": "50", own + "max": "12000", own + "events": "oom 1\noom_kill 1\n", own + "stat": "",
        "/var/colab/events": "1700000000,2,oom_kill=1\n1700000009,2,oom_kill=2\n", "/proc/vmstat": "oom_kill 2\n",
    })
    assert (sampler.limit, sampler.exact, sampler.kills()) == (12000, False, [2, 1, 2])


def judges_as_the_library(program):
    module, cases, said, words = load(), [], [], set()
    statuses = (None, 0, 256, 768, 35072, 9, 11, 139, 6, 7, 4, 8, 5, 31, 15, 1, 13, 14, 24, 25)
    counters = list(itertools.product((None, 0, 1), (None, 0, 2), (None, 0, 1)))
    rest = list(itertools.product((None, "Aborted"), (None, True, "other", "maybe"), (False, True), ([95, 100], [50, 100], [0, 0]), ([100, 100], [1, 100]), ([None, None, 0], [60, [1, 100], 0], [10, [1 << 30, 1 << 36], 1])))
    xids = ((), ((31, 500, ""),), ((13, 500, "Out Of Range Address"),), ((13, 500, ""), (45, 100, "")), ((79, 2000, ""), (45, 1, "")), ((94, 9000, ""),), ((48, 12000, ""),), ((62, 5, ""),))
    everything = [(s, c, r, lost, x) for s in statuses for c in counters for r in rest for lost in (False, True) for x in xids]
    # About every thirtieth, always the same ones; the step is coprime to all lengths above.
    for number, (status, oom, (fault, log, exact, last, shm, (own, disk, runs)), lost, events) in enumerate(everything[::31]):
        line = {"k": "end", "t": 20000, "st": status, "oom": list(oom), "fault": fault, "last": last, "shm": shm, "exact": int(exact)}
        line |= {"lost": 1} if lost else {}
        line |= {"own": own, "disk": disk} if own else {}
        line |= {} if log is None else {"oomline": "Killed process"} if log is True else {"oomline": "Killed process", f"oom{log}": 1}
        judged = module.judge({**line, "n": 1} if runs else line, [(x, before, "Out Of Range" in message) for x, before, message in events])
        said.append(judged[:2])
        words |= {judged, module.judge({**line, "par": 0}, [])}
        cases.append({"k": "start", "v": 1, "t": 1, "pid": number + 1, "born": 1, "boot": "b"})
        cases += [{"k": "run", "t": 2, "n": 1}] * runs
        cases += [{"k": "xid", "via": "kmsg", "x": x, "t": 20000 - before, "msg": message} for x, before, message in events]
        cases.append({key: value for key, value in line.items() if value is not None})
    # Thousands of small files: in memory if possible, because a busy disk takes minutes for them.
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        # A reader keeps only the last records of a file.
        paths, texts = [], []
        for case in cases:
            if case["k"] == "start":
                paths.append(pathlib.Path(folder, f"{len(paths):06}.jsonl"))
                texts.append("")
            texts[-1] += json.dumps(case) + "\n"
        for path, text in zip(paths, texts):
            path.write_text(text)
        found = []
        for first in range(0, len(paths), 2000):
            done = subprocess.run([program, *map(str, paths[first : first + 2000])], stdout=subprocess.PIPE, text=True, check=True)
            found += [tuple(line.rsplit(" ", 2)[1:]) for line in done.stdout.splitlines()]
        differ = [(said[i], found[i], paths[i].read_text()) for i in range(len(said)) if said[i] != found[i]] if len(found) == len(said) else [len(found)]
    assert not differ, (len(differ), differ[:3])
    # What is judged stands in the table.
    assert words <= {row[2] for row in table.rows()}, words
    causes = {cause for cause, _ in said}
    assert len(said) > 5000 and len(causes) == 9, (len(said), causes)


def judges_as_the_table():
    """Every row of the table in FORMAT.md, and every combination of facts; the library is tested against the same table."""
    assert table.tests(load().judge) > 3_000_000


def a_kernel_that_is_being_reaped_has_its_parent():
    """Linux shows 0 for the parent in the instant between the end and the last of the process."""
    module, me = load(), os.getpid()
    ended = ["Z", "", *["0"] * 47, "13"]
    with tempfile.TemporaryDirectory() as folder:
        sampler = module.Sampler(me, folder, {})
        sampler.told_status = True
        for shown, parents, wanted in (("0", ["S"], True), ("0", [], False), ("1", ["S"], False), (sampler.parent, [], True)):
            ended[1], ended[19] = shown, str(sampler.born)
            module.stat = lambda pid: ended if pid == me else parents
            assert sampler.status()[2] is wanted, (shown, parents)


def stores_no_secret_of_a_first_line(example):
    """What a report's redaction takes out of a line, the cell's takes out too; and it is made from the same table."""
    assert first_line.generated(example) == first_line.SAMPLER.read_text(), "src/secrets has changed: run tests/probe/first_line.py with its example"
    shown = load().shown
    first_line.hides_what_a_report_hides(example, shown)
    first_line.leaves_what_is_innocent(shown)


def machines_kills():
    """How many processes this machine has killed because its memory, or a group's, was full."""
    return re.search(r"^oom_kill (\d+)$", pathlib.Path("/proc/vmstat").read_text(), re.M)[1]


def recorded(*args, **options):
    """What `recorded_once` returns when nothing else on the machine was killed for memory meanwhile. Such a kill leaves the cause
    open, in one sampler's record or in both, and the tests beside this one cause them on purpose."""
    for _ in range(10):
        before = machines_kills()
        lines = recorded_once(*args, **options)
        if machines_kills() == before:
            break
    return lines


def recorded_once(command, nvml, script, log=(), early=()):
    """What a sampler writes about a process that is killed after a second, with these lines in the system's log: the early
    ones while it is healthy."""
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen(["sleep", "60"]) as victim:
        os.mkfifo(folder + "/kmsg")
        kmsg = os.open(folder + "/kmsg", os.O_RDWR)
        command = [*command, str(victim.pid), folder, "fg=1", f"nvml={nvml}", f"kmsg={folder}/kmsg"]
        sampler = subprocess.Popen(command, stdin=subprocess.PIPE, env={**os.environ, "FAKE_NVML": script.replace("OURS", str(victim.pid))})
        sampler.stdin.write(b"r")
        sampler.stdin.flush()
        path = pathlib.Path(folder, "nbmedic-flight.jsonl")
        end = time.monotonic() + 20
        while not path.exists() and time.monotonic() < end:
            time.sleep(0.05)
        # After half a second the script has done everything.
        time.sleep(1.3)
        wanted = ['"g":|"nogpu"'] + ['"k":"xid"'] * ("xid" in script) + [r'"g":\[null'] * ("lost" in script)
        while not all(re.search(pattern, path.read_text()) for pattern in wanted) and "hang" not in script and time.monotonic() < end:
            time.sleep(0.1)
        def says(lines):
            for number, text in enumerate(lines):
                os.write(kmsg, f"6,{number},{number},-;{text}\n SUBSYSTEM=pci\n".replace("OURS", str(victim.pid)).encode())

        says(early)
        # Healthy for several samples more: one a second is written.
        seen = path.read_text().count('"k":"s"')
        while early and path.read_text().count('"k":"s"') < seen + 2 and time.monotonic() < end:
            time.sleep(0.05)
        victim.kill()
        # Logged once the kernel is dying: while it is healthy, most of the log's lines are about other processes.
        says(log)
        victim.wait()
        sampler.wait(30)
        os.close(kmsg)
        return [json.loads(line.replace(f"process {victim.pid} ", "process OURS ")) for line in path.read_text().splitlines()]


def seen(lines):
    """The GPUs at the end, their last figures, the Xids, and the verdict."""
    said, figures = {}, {}
    for line in lines:
        if "gpus" in line or "nogpu" in line:
            said = {key: line[key] for key in ("drv", "gpus", "nogpu") if key in line}
        if line["k"] == "s":
            figures.update(line)
    for gpu in said.get("gpus", []):
        # A lost GPU has no figures at all, whatever the reasons.
        if "lost" in gpu["na"].values():
            gpu["na"] = "lost"
            gpu.pop("tot", None)
    xids = [(line["x"], line.get("u"), line["via"]) for line in lines if line["k"] == "xid"]
    facts = "st", "lost", "exact", "oomline", "oomother", "oommaybe"
    ends = [{key: line[key] for key in facts if key in line} for line in lines if line["k"] == "end"]
    return said, figures.get("g"), xids, ends and (ends, [verdict(lines)[key] for key in ("cause", "sure")])


def sees_the_gpus_of_the_native_probe(program, nvml):
    source = "".join((CELL / name).read_text() for name in ("sampler.py", "judge.py", "gpus.py")) + "main(*sys.argv[1:])\n"
    scripts = ("gpus=2,xid=31", "lost", "mig", "mig,xid=31", "virtual", "bare", "init=18", "gpus=0", "pid=OURS:1048576", "pid=999999:1048576", "grow", "hang-init")

    def both(script):
        return [seen(recorded(command, nvml, script)) for command in ([program], [sys.executable, "-IS", "-c", source])]

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for script, (native, python) in zip(scripts, pool.map(both, scripts)):
            if script.startswith("pid=OURS"):
                # Whether the process was known at the last query of the GPU depends on timing.
                for gpus in (native, python):
                    gpus[1][0] = gpus[1][0][:7]
            if script == "grow":
                # How far it had grown at the last sample depends on timing too.
                for gpus in (native, python):
                    gpus[1][0] = gpus[1][0][1:]
            assert native == python, (script, native, python)
            assert native[3], (script, "no end")
            assert native[0].get("nogpu") != "no-library", (script, "the library was not found")


def keeps_the_logs_line_as_the_native_probe(program, nvml):
    """A process with much memory dies seconds after the line about it. A line about another one is no matter of this death."""
    source = "".join((CELL / name).read_text() for name in ("sampler.py", "judge.py", "gpus.py")) + "main(*sys.argv[1:])\n"
    killed = "Memory cgroup out of memory: Killed process {} (sleep) total-vm:1kB, anon-rss:2kB"
    for who, cause in (("OURS", "host-oom"), (1, "kernel-died")):
        native, python = (seen(recorded(command, nvml, "gpus=1", early=[killed.format(who)])) for command in ([program], [sys.executable, "-IS", "-c", source]))
        assert native == python, (who, native, python)
        assert native[3][1][0] == cause, (who, native)


def reads_the_log_as_the_native_probe(program, nvml):
    source = "".join((CELL / name).read_text() for name in ("sampler.py", "judge.py", "gpus.py")) + "main(*sys.argv[1:])\n"
    killed = "Memory cgroup out of memory: Killed process {} ({}) total-vm:1kB, anon-rss:2kB"
    logs = {
        "ours": [killed.format("OURS", "sleep")], "another": [killed.format(1, "java")],
        "another of that name": [killed.format(1, "sleep")], "first another, then ours": [killed.format(1, "java"), killed.format("OURS", "sleep")],
        "a program on the GPU": ["NVRM: Xid (PCI:0000:00:04): 13, pid=1, Graphics SM Warp Exception: Out Of Range Address", "something else"],
        "off the bus": ["NVRM: GPU at PCI:0000:00:05: GPU has fallen off the bus."],
    }

    late = {program: [], sys.executable: []}

    def both(log):
        found = []
        for command in ([program], [sys.executable, "-IS", "-c", source]):
            lines = recorded(command, nvml, "gpus=2", log)
            found.append(seen(lines))
            before, last = [line["t"] for line in lines if line["k"] == "s"][-2:]
            late[command[0]].append(last - before < 900 and lines[-1]["t"] - last < 300)
        return found

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for (name, log), (native, python) in zip(logs.items(), pool.map(both, logs.values())):
            assert native == python, (name, native, python)
            xids, (ends, judged) = native[2:]
            if "NVRM" in log[0]:
                assert [x[2] for x in xids] == ["kmsg"] and xids[0][1], (name, xids)
            else:
                assert judged[0] == ("host-oom" if "ours" in name else "kernel-died"), (name, ends, judged)
    # Nothing changed, so one sample a second was written, and the last one.
    assert all(any(told) for told in late.values()), late


# The target of the native cell's bytes and their maximum. The target is too small for both the program and its equivalent in Python
# (program, sampler, hooks and the look at values compressed alone: 14.3, 7.7, 4.0 and 5.0 kB).
WANTED, REACHED = map(int, re.search(r"^WANTED, LIMIT = (\d+), (\d+)", (CELL / "make.py").read_text(), re.M).groups())


def the_cells_are_what_they_say(program):
    cells = {path.stem[5:]: path.read_text() for path in pathlib.Path(program).parent.glob("cell-*.py")}
    assert "readable" in cells
    for name, cell in cells.items():
        lines = cell.splitlines()
        # Colab shows a form and hides the code below the title.
        assert re.fullmatch(r'#@title \S.* \{ display-mode: "form" \}', lines[0]), lines[0]
        about = "\n".join(itertools.takewhile(lambda line: line.startswith("#"), lines))
        for said in ('nbmedic("no values")', 'nbmedic("stop")', 'nbmedic("remove")', "nbmedic-flight, which git ignores", "nothing leaves this machine"):
            assert said in about, (name, said)
        assert cell.isascii() or name == "readable"
        # Runs in Python 3.7: no newer syntax, and nothing that only later versions have (3.9) without another way.
        for node in ast.walk(ast.parse(cell, feature_version=(3, 7))):
            assert not isinstance(node, ast.AugAssign) or not isinstance(node.op, ast.BitOr), ast.unparse(node)
            assert not isinstance(node, ast.Attribute) or node.attr not in ("removesuffix", "removeprefix", "unparse"), ast.unparse(node)
    if "native" not in cells:
        return
    cell = cells["native"]
    size = len(cell.encode())
    print(f"measured: the native cell has {size} bytes; wanted {WANTED}")
    assert size <= REACHED, size
    # The cell unpacks exactly the program that was built, and the hash in its comment is that program's.
    called, last = 'code["nbmedic"](do, ', "nbmedic()\n"
    assert cell.endswith(last) and cell.count(called) == 1
    unpacked = {}
    exec(cell.removesuffix(last).replace(called, "return (code, "), unpacked)
    code, found = unpacked["nbmedic"]()
    built = pathlib.Path(program).parent.joinpath("nbmedic-probe-x86_64").read_bytes()
    assert found == built
    assert f"SHA-256 {hashlib.sha256(built).hexdigest()}." in cell and "./build.sh probe" in cell
    # A program with another hash does not run.
    spoilt = re.sub('"[0-9a-f]{16}"', '"' + "0" * 16 + '"', cell.removesuffix(last).replace(called, "return (code, "))
    exec(spoilt, unpacked)
    assert unpacked["nbmedic"]()[1] == b""
    # The fallback has what the readable cell has: GPUs and the system's log.
    for part in ("libnvidia-ml.so.1", "klogctl", "NVRM: Xid", "/proc/pressure/"):
        assert part in code["NBMEDIC_SAMPLER"] and part in cells["readable"], part


VERDICT, PROGRAM, NVML, FIRST_LINE = sys.argv[1:5] if __name__ == "__main__" else [""] * 4
TESTS = [
    (a_group_of_version_2_in_its_own_namespace,), (a_group_of_version_2_as_it_was_recorded,), (the_tightest_limit_above,),
    (version_1_of_a_container_that_sees_the_machines_path,), (colab,), (judges_as_the_table,), (a_kernel_that_is_being_reaped_has_its_parent,),
    (the_cells_are_what_they_say, PROGRAM), (judges_as_the_library, VERDICT), (stores_no_secret_of_a_first_line, FIRST_LINE),
    (sees_the_gpus_of_the_native_probe, PROGRAM, NVML), (reads_the_log_as_the_native_probe, PROGRAM, NVML),
    (keeps_the_logs_line_as_the_native_probe, PROGRAM, NVML),
]

if __name__ == "__main__":
    failed = 0
    for test, *args in TESTS:
        try:
            test(*args)
            print("ok  ", test.__name__, flush=True)
        except Exception:
            failed += 1
            print("FAIL", test.__name__, flush=True)
            traceback.print_exc(file=sys.stdout)
    sys.exit(1 if failed else 0)
