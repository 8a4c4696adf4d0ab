"""Shows that the catalogue's fixes work: see README.md in this folder.

    run.py prove [--mutate] [CASE…]   run the cases (all, one framework's, or single ones), store what they printed
    run.py prove --own [--mutate] [CASE…]
                                      apply the engine's own first fix instead of what the case says; store what
                                      became of it in own.json
    run.py prove --own --list [CASE…] no kernel: the first fix for what is stored
    run.py replay                     no kernel: judge what is stored, check src/catalog/proven.lock and docs/proof.md
    run.py envs [CASE…]               the environments that these cases need
    run.py mark                       write what is stored into src/catalog/proven.lock
    run.py report                     write docs/proof.md of it, with the engine built anew; print the counts"""

import concurrent.futures
import copy
import functools
import hashlib
import importlib.metadata
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

from case import CASES, HERE, Wrong, every, source

ROOT = HERE.parent.parent
CAPTURED = pathlib.Path(os.environ.get("NBMEDIC_PROOF_CAPTURED") or HERE / "captured")
ENVS = pathlib.Path(os.environ.get("NBMEDIC_PROOF", ROOT / ".tools/proof"))
ENGINE = os.environ.get("NBMEDIC_CLI") or f"{os.environ.get('CARGO_TARGET_DIR', ROOT / 'target')}/debug/nbmedic"
# Memory that a case may need in addition to its limit: a framework's import, and a few copies of small data.
EACH = 1500 << 20
FLIGHT_LINES = 12
# Number of parts of a traceback that are kept at either end.
FRAMES = 20
MAX_OUTPUT = 40_000
ENDS = "ends, with what the last cell asserts"


class Unproven(Exception):
    """The case did not run as it should."""


# --- the engine -------------------------------------------------------------------------------


def triage(runs):
    """The engine's diagnoses of each notebook's outputs or, for a death, of its flight record."""
    with tempfile.TemporaryDirectory(prefix="nbmedic-proof-") as folder:
        paths = []
        for i, (notebook, flight) in enumerate(runs):
            paths.append(pathlib.Path(folder) / str(i) / ("nbmedic-flight.jsonl" if flight else "broken.ipynb"))
            paths[-1].parent.mkdir()
            paths[-1].write_text("\n".join(flight) + "\n" if flight else json.dumps(notebook), encoding="utf-8")
        done = subprocess.run([ENGINE, "triage", *map(str, paths), "--format", "json"], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise Unproven(f"the engine says: {done.stderr.strip()}")
    said = {answer["source"]: answer["diagnoses"] for answer in map(json.loads, done.stdout.splitlines())}
    return [said[str(path)] for path in paths]


def named(case, notebook, flight, cell, diagnosis=None, variant=None):
    """The diagnosis of the failing cell, which must be the case's."""
    return named_of(triage([(notebook, flight)])[0], case, notebook, flight, cell, diagnosis, variant)


def named_of(said, case, notebook, flight, cell, diagnosis=None, variant=None):
    found = [d for d in said if flight or d["location"].get("cell") == position(notebook, cell)]
    first = found[0] if found else {"id": "nothing", "variant": None}
    name = (first["id"], first.get("variant") or "")
    wanted = [(diagnosis or case.diagnosis, v) for v in (case.variants if variant is None else [variant])]
    if name not in wanted:
        raise Unproven(f"the engine says {'/'.join(filter(None, name))}, not {'/'.join(filter(None, wanted[0]))}")
    if case.line and diagnosis is None and first["location"].get("line") != case.line:
        raise Unproven(f"the engine points at line {first['location'].get('line')}, not {case.line}")
    return first


def position(notebook, cell):
    """The position of the nth code cell among all cells, from 1."""
    code = [i for i, c in enumerate(notebook["cells"], 1) if c["cell_type"] == "code"]
    return code[cell - 1]


def offered(remedy, said):
    """The catalogue's fix, with its code for this output. A cure of the same name may stand before it."""
    fix = next((f for f in reversed(said["fixes"]) if f["id"] == remedy.fix), None)
    if fix is None:
        raise Unproven(f"the engine offers {', '.join(f['id'] for f in said['fixes'])} here, not {remedy.fix}")
    return fix


def digest(fix):
    """The checksum of the fix's code as applied: a changed one must be proven again."""
    return hashlib.sha256((fix.get("code") or fix.get("sample") or "").encode()).hexdigest()[:16]


# --- proving ----------------------------------------------------------------------------------


def python_of(env):
    return ENVS / env / "bin/python"


def probe_cell():
    cells = [ROOT / "dist/probe" / f"cell-{kind}.py" for kind in ("native", "readable")]
    found = next((c for c in cells if c.exists()), None)
    return found.read_text(encoding="utf-8") if found else ""


def broken_run(case, sandbox, base):
    """The first run, which must fail for the named reason. Returns it and the engine's diagnosis."""
    first = sandbox.run(python_of(case.env), case, json.loads(json.dumps(case.notebook)), base, probe_cell())
    if not first.end:
        raise Unproven("the broken program ended well")
    if first.end == "died" and not first.flight:
        raise Unproven(f"the kernel died in cell {first.cell}; say probe = true")
    # What a fix is applied to in the same run has the names of this machine.
    first.raw = copy.deepcopy(first.notebook), list(first.flight)
    tidy(first, case, base)
    try:
        return first, named(case, first.notebook, first.flight, first.cell)
    except Unproven as error:
        end = "\n".join([*first.flight[-1:]]) or shown(first)
        raise Unproven(f"{error}: {first.text()}\n{end}") from None


def second_run(case, sandbox, base, notebook):
    run = sandbox.run(python_of(case.env), case, notebook, base, probe_cell())
    if run.end:
        raise Unproven(f"with the remedy cell {run.cell} fails: {run.text()}\n{shown(run)}")
    return run


def shown(run):
    cell = [c for c in run.notebook["cells"] if c["cell_type"] == "code"][run.cell - 1]
    parts = [o.get("text") or "\n".join(o.get("traceback", [])) for o in cell["outputs"]]
    return source(cell) + "\n" + re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(parts))[-2500:]


def fresh(case, base):
    """The second run's folder: the same one if the case keeps what the first run wrote."""
    return base if case.keep else anew(base)


def anew(base):
    path = pathlib.Path(base) / f"again-{time.monotonic_ns()}"
    path.mkdir()
    return str(path)


def prove(case, sandbox):
    """Proves one case. Returns what is stored of it."""
    with sandbox.place() as base:
        first, said = broken_run(case, sandbox, base)
        fixes = [offered(remedy, said) for remedy in case.remedies]
        tried = []
        for one in case.tried:
            there = anew(base)
            run = sandbox.run(python_of(case.env), case, case.with_tried(one), there, probe_cell())
            if not run.end:
                raise Unproven(f"{one['remedy']} helps after all")
            tidy(run, case, there)
            named(case, run.notebook, run.flight, run.cell, one.get("diagnosis"), one.get("variant"))
            says(case, said, one)
            tried.append({"remedy": one["remedy"], "outcome": outcome(run)})
        first_tried = sandbox.copy(base) if case.keep and len(fixes) > 1 else ""
        ends = []
        for remedy, fix in zip(case.remedies, fixes):
            there = fresh(case, sandbox.copy(first_tried) if ends and first_tried else base)
            ends.append(apply(case, sandbox, there, remedy, case.fixed(remedy, fix, first.cell), first))
    proofs = [{"fix": fix["id"], "code": digest(fix), "fixed": end} for fix, end in zip(fixes, ends)]
    result = {
        "case": case.name, "diagnosis": case.diagnosis, "variant": said.get("variant") or "", **proofs[0],
        "python": answer(case.env, "import platform; print(platform.python_version())"), "versions": versions(case),
        "broken": outcome(first), "tried": tried, "also": proofs[1:],
    }
    kept = [json.loads(line) for line in first.flight]
    # The first line is the start, the first sample has the totals, and the rest of the verdict needs the end.
    head = next((i for i, line in enumerate(kept, 1) if line["k"] == "s"), 0)
    evidence = {"flight": kept[:head] + kept[head:][-FLIGHT_LINES:]} if kept else {"notebook": first.notebook}
    return {"result": result, "cell": first.cell, **evidence}


def apply(case, sandbox, there, remedy, notebook, first):
    """Runs the program with the fix applied. Returns the result in a few words."""
    kept = case.kill, case.interrupt, case.limit
    try:
        case.limit = {**case.limit, **remedy.more}
        if case.rerun:
            case.interrupt = ""
        if remedy.shows:
            return look(case, sandbox, there, remedy, notebook, first)
        if case.kill:
            # It is killed again; what the fix saved must carry the next run to the end.
            run = sandbox.run(python_of(case.env), case, json.loads(json.dumps(notebook)), there, probe_cell())
            if run.end != "died":
                raise Unproven(f"with the remedy it was to be killed once more, and {run.text()}")
            case.kill = ""
        second_run(case, sandbox, there, notebook)
        return ENDS
    except Unproven as error:
        raise Unproven(f"{remedy.fix}: {error}") from None
    finally:
        case.kill, case.interrupt, case.limit = kept


def look(case, sandbox, there, remedy, notebook, first):
    """A fix that inspects must show what the failing run did not."""
    if re.search(remedy.shows, printed(first.notebook)):
        raise Unproven(f"the failing run shows {remedy.shows!r} without it")
    run = sandbox.run(python_of(case.env), case, notebook, there, probe_cell(), remedy.answers)
    tidy(run, case, there)
    for cell in run.notebook["cells"]:
        if cell.get("id", "").startswith("remedy-") and not remedy.fails and any(o["output_type"] == "error" for o in cell["outputs"]):
            raise Unproven(f"its own cell fails: {printed({'cells': [cell]})[-2000:]}")
    text = (pathlib.Path(there) / "content" / remedy.shows_in).read_text(errors="replace") if remedy.shows_in else printed(run.notebook)
    found = re.search(remedy.shows, text)
    if not found:
        raise Unproven(f"it shows no {remedy.shows!r}: {text[-2500:]}")
    seen = re.sub(r"\s+", " ", found[0])
    return f"shows: {seen if len(seen) <= 80 else seen[:79] + '…'}"


def printed(notebook):
    """All output of the cells, without colours."""
    outputs = [o for cell in notebook["cells"] if cell["cell_type"] == "code" for o in cell.get("outputs") or []]
    parts = [o.get("text") or "\n".join(o.get("traceback") or o.get("data", {}).values()) for o in outputs]
    return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(parts))


def says(case, said, one):
    """Checks that the catalogue says that the popular remedy does not work."""
    words = json.dumps([said["explanation"], said["fixes"]], ensure_ascii=False)
    if not re.search(one["says"], words):
        raise Unproven(f"{case.diagnosis} does not say {one['says']!r} of {one['remedy']}")


def outcome(run):
    text = re.sub(r"\s+", " ", run.text())
    return text if len(text) <= 110 else text[:109] + "…"


@functools.cache
def answer(env, code):
    return subprocess.run([python_of(env), "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def versions(case):
    code = "import importlib.metadata as m, json, sys; print(json.dumps({n: m.version(n) for n in sys.argv[1:]}))"
    names = [n for n in case.needs if n not in ("gpu", "no-gpu", "index")] or ["ipykernel"]
    done = subprocess.run([python_of(case.env), "-c", code, *names], capture_output=True, text=True)
    if done.returncode:
        raise Unproven(f"not installed in {case.env}: {done.stderr.strip().splitlines()[-1]}")
    return json.loads(done.stdout)


def short(traceback):
    """Both ends of a traceback with very many frames, as a front end's reader keeps them."""
    if len(traceback) <= 2 * FRAMES:
        return traceback
    return [*traceback[:FRAMES], f"[... {len(traceback) - 2 * FRAMES} frames]\n", *traceback[-FRAMES:]]


def tidy(run, case, base):
    """Removes this machine's names from what is stored and from what the engine sees."""
    sys.path.insert(0, str(ROOT / "tests/frameworks"))
    from types import SimpleNamespace

    from capture import plain

    site = answer(case.env, "import sysconfig; print(sysconfig.get_path('purelib'))")
    own = answer(case.env, "import sys; print(sys.base_prefix)")
    version = answer(case.env, "import platform; print(platform.python_version())")
    env = SimpleNamespace(version=version, site=site, dir=str(ENVS / case.env), base=lambda: own)
    real = SimpleNamespace(version=version, site=os.path.realpath(site), dir=os.path.realpath(ENVS / case.env), base=lambda: own)
    where = dict(cwd=f"{base}/content", home=f"{base}/root", temp=base)

    def clean(text):
        text = text.replace(f"{base}/env", env.dir)
        return plain(plain(text, SimpleNamespace(env=env, **where)), SimpleNamespace(env=real, **where))

    for cell in run.notebook["cells"]:
        for output in cell.get("outputs") or []:
            if "text" in output:
                output["text"] = clean(output["text"])
            if "data" in output:
                output["data"] = {k: clean(v) for k, v in output["data"].items()}
            if "traceback" in output:
                output["traceback"] = clean("\0".join(short(output["traceback"]))).split("\0")
                output["evalue"] = clean(output["evalue"])
    run.flight = [clean(line) for line in run.flight]
    if len(json.dumps(run.notebook)) > MAX_OUTPUT:
        raise Unproven(f"it prints {len(json.dumps(run.notebook))} characters: too much to keep")


# --- mutations --------------------------------------------------------------------------------


def mutate(case, sandbox, others):
    """Runs the case without the fix, and with another diagnosis. Returns the mutants that passed, and their number."""
    lived = []
    with sandbox.place() as base:
        first, _ = broken_run(case, sandbox, base)
        of_others = [(o.diagnosis, o.variant) for o in others] + [("python-exception", "")]
        other = next(one for one in of_others if one[0] != case.diagnosis or one[1] not in case.variants)
        try:
            named(case, first.notebook, first.flight, first.cell, *other)
            lived.append(f"{case.name}: passes as {'/'.join(other)}")
        except Unproven:
            pass
        try:
            # If the fix is to run again in the same folder, leaving it out means another folder.
            there = anew(base) if case.rerun else fresh(case, base)
            second_run(case, sandbox, there, json.loads(json.dumps(case.notebook)))
            lived.append(f"{case.name}: passes without {case.fix}")
        except Unproven:
            pass
    return lived, 2


# --- the engine's own fix ---------------------------------------------------------------------


def prove_own(case, sandbox, general):
    """Applies the engine's first fix to the program. Returns what became of it."""
    import own

    with sandbox.place() as base:
        first, fix = own_fix(case, sandbox, base, general)
        row = own_row(case, fix, error_class(first.notebook, first.cell, first.flight))
        if fix["kind"] not in own.APPLIED:
            return {**row, "end": "no edit"}
        if fix["kind"] == "install" and not (case.own and sandbox.index()):
            return {**row, "end": "not run: nothing can be installed in this case"}
        try:
            return {**row, "ends_well": True, "end": run_own(case, sandbox, base, fix, first)}
        except (own.Refused, Unproven, RuntimeError, TimeoutError, OSError) as error:
            return {**row, "end": re.sub(r"\s+", " ", str(error))[:200]}


def own_fix(case, sandbox, base, general):
    import own

    first, _ = broken_run(case, sandbox, base)
    at = None if first.flight else position(first.notebook, first.cell)
    return first, own.first_of(triage([first.raw])[0], at, general)


def own_row(case, fix, error):
    import own

    kept = {k: fix.get(k) for k in ("kind", "id", "applicability", "title", "edits", "run")}
    return {"case": case.name, "error": error, "diagnosis": fix["diagnosis"], **kept, "digest": own.digest(fix), "ends_well": False, "end": ""}


def run_own(case, sandbox, base, fix, first):
    import own

    program = own.program(case, fix, position(case.notebook, first.cell), first.end == "died")
    return apply(case, sandbox, fresh(case, base), OwnRemedy(fix["id"]), program, first)


class OwnRemedy:
    """A fix that needs nothing but itself."""

    def __init__(self, fix):
        self.fix, self.shows, self.more = fix, "", {}


def error_class(notebook, cell, flight):
    """The class of the error that ended a cell."""
    code = [c for c in notebook["cells"] if c["cell_type"] == "code"] if notebook else []
    errors = [o["ename"] for o in code[cell - 1]["outputs"] if o["output_type"] == "error"] if code else []
    return "death" if flight else errors[-1] if errors else "no exception"


def mutate_own(case, sandbox, general):
    """Applies fixes that must not count. Returns those that did, and their number."""
    import own

    lived, mutants = [], []
    with sandbox.place() as base:
        first, fix = own_fix(case, sandbox, base, general)
        mutants = own.mutants(case, fix)
        for what, mutant in mutants:
            try:
                run_own(case, sandbox, base, mutant, first)
                lived.append(f"{case.name}: {what} counts")
            except (own.Refused, Unproven, RuntimeError, TimeoutError):
                pass
    return lived, len(mutants)


def list_own(cases):
    """What the first fix is for each output that is stored."""
    import own

    kept = [(case, made) for case in cases if (made := stored(case))]
    general, rows = own.general(ENGINE), []
    for (case, made), said in zip(kept, triage([(made.get("notebook"), flight_lines(made)) for _, made in kept])):
        at = position(made["notebook"], made["cell"]) if "notebook" in made else None
        fix = own.first_of(said, at, general)
        rows.append(own_row(case, fix, error_class(made.get("notebook"), made["cell"], made.get("flight"))))
    return rows


def write_own(rows):
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "proof-own.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return target


def command_own(cases, flags):
    import own

    if "--list" in flags:
        rows = list_own(cases)
        print(*own.listed(rows), f"written to {write_own(rows)}", sep="\n")
        return True
    general = own.general(ENGINE)
    if "--mutate" in flags:
        return print_mutants(*all_of(cases, lambda c, s: mutate_own(c, s, general), mutants_word))
    made, failed, skipped = all_of(cases, lambda c, s: prove_own(c, s, general), lambda m: f"{m['kind']} {m['id']}: {m['end']}")
    rows = [row for _, row in made]
    if rows:
        own.store(rows, every())
        print("", *own.report(rows), sep="\n")
    print(f"{len(failed)} cases broken, {len(skipped)} left out; written to {write_own(rows)}")
    return not failed


# --- what is stored ---------------------------------------------------------------------------


def path_of(case):
    return CAPTURED / f"{case.name}.json"


def store(case, made):
    path_of(case).parent.mkdir(parents=True, exist_ok=True)
    path_of(case).write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def stored(case):
    try:
        return json.loads(path_of(case).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None


def flight_lines(made):
    return [json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in made.get("flight", [])]


def replay():
    """Judges the stored outputs again, without a kernel: the fix must still be offered unchanged, and fit the program."""
    import catalogue
    import own

    cases = every()
    bad = [line for case in cases for line in own.check(case)]
    kept = {case: made for case in cases if (made := stored(case))}
    runs = [(made.get("notebook"), flight_lines(made)) for made in kept.values()]
    for (case, made), (notebook, flight), diagnoses in zip(kept.items(), runs, triage(runs)):
        try:
            said = named_of(diagnoses, case, notebook, flight, made["cell"])
            proofs = [made["result"], *made["result"].get("also", [])]
            for remedy in case.remedies:
                fix = offered(remedy, said)
                if not any(one["fix"] == remedy.fix and one["code"] == digest(fix) for one in proofs):
                    raise Unproven(f"{case.diagnosis}/{remedy.fix} is no longer what was proven: ./build.sh prove {case.name}")
                case.fixed(remedy, fix, made["cell"])
            if [one["remedy"] for one in made["result"]["tried"]] != [one["remedy"] for one in case.tried]:
                raise Unproven(f"what was tried is not stored: ./build.sh prove {case.name}")
            for one in case.tried:
                says(case, said, one)
        except (Unproven, Wrong) as error:
            bad.append(f"{case.name}: {error}")
    for path in sorted(CAPTURED.glob("*/*.json")):
        if not any(path_of(c) == path for c in cases):
            bad.append(f"{path.relative_to(ROOT)}: no such case")
    checks, wrong = catalogue.check(ENGINE, [made["result"] for made in kept.values()], cases)
    bad += wrong
    applied, few = own.replay(list_own(cases))
    bad += few
    for line in bad:
        print(f"FAIL {line}")
    print(f"{len(kept)} of {len(cases)} cases have been proven here or elsewhere, their outputs judged again")
    print(applied)
    print(f"{len(kept) + checks - len(bad)} passed, {len(bad)} failed")
    return not bad


# --- all of them ------------------------------------------------------------------------------


def workers():
    free = next(int(line.split()[1]) << 10 for line in open("/proc/meminfo") if line.startswith("MemAvailable"))
    return max(1, min(int(os.environ.get("NBMEDIC_PROOF_JOBS", os.cpu_count() or 1)), (free - (1 << 30)) // EACH))


def all_of(cases, work, word):
    """Runs `work` for every case, several at a time, and prints a line for each. Returns the results, and the failures."""
    import sandbox

    done, failed, skipped, lock = [], [], [], threading.Lock()

    def one(case):
        start, made, why = time.monotonic(), None, sandbox.missing(case)
        if not why and not python_of(case.env).exists():
            why = f"no environment {case.env}"
        mark = "skip" if why else "ok  "
        if not why:
            try:
                made = work(case, sandbox)
            except (Unproven, Wrong, RuntimeError, TimeoutError, OSError) as error:
                mark, why = "FAIL", str(error)
        with lock:
            done.append(case)
            if mark == "FAIL":
                failed.append(case)
            elif mark == "skip":
                skipped.append(case)
            took = time.monotonic() - start
            print(f"{mark} [{len(done)}/{len(cases)}] {case.name} {took:.0f} s {f'({why})' if why else word(made)}", flush=True)
        return case, made

    with concurrent.futures.ThreadPoolExecutor(workers()) as pool:
        results = list(pool.map(one, cases))
    return [(c, m) for c, m in results if m is not None], failed, skipped


def mutants_word(made):
    return f"{made[1] - len(made[0])} of {made[1]} mutants fail"


def print_mutants(made, failed, skipped):
    lived = [line for _, (lines, _) in made for line in lines]
    print(*lived, sep="\n")
    total = sum(n for _, (_, n) in made)
    print(f"{total} mutants: {total - len(lived)} fail as they should, {len(lived)} pass; {len(failed)} cases broken, {len(skipped)} left out")
    return not lived and not failed


def main(args):
    what, flags = args[0] if args else "", [a for a in args[1:] if a.startswith("-")]
    names = [a for a in args[1:] if not a.startswith("-")]
    if what == "replay":
        return replay()
    if what == "envs":
        print(*sorted({"torch", *(case.env for case in every(names))}))
        return True
    if what in ("mark", "report"):
        import catalogue

        cases = every()
        results = [made["result"] for c in cases if (made := stored(c))]
        if what == "mark":
            print(f"{catalogue.LOCK.name} {'changed' if catalogue.mark(results) else 'did not change'}")
        else:
            catalogue.REPORT.write_text(catalogue.report(ENGINE, results, cases), encoding="utf-8")
            print(catalogue.counts(ENGINE))
        return True
    if what != "prove" or set(flags) - {"--mutate", "--own", "--list"} or ("--list" in flags and set(flags) != {"--own", "--list"}):
        print(__doc__)
        return False
    cases = every(names)
    if "--list" in flags:
        return command_own(cases, flags)
    print(f"{len(cases)} cases, {workers()} at a time", flush=True)
    if "--own" in flags:
        return command_own(cases, flags)
    if "--mutate" in flags:
        others = every()
        return print_mutants(*all_of(cases, lambda c, s: mutate(c, s, others), mutants_word))

    def proven(case, sandbox):
        made = prove(case, sandbox)
        store(case, made)
        return made

    made, failed, skipped = all_of(cases, proven, lambda m: ", ".join([m["result"]["diagnosis"], m["result"]["fix"], *(one["fix"] for one in m["result"]["also"])]))
    print(f"{len(made)} passed, {len(failed)} failed, {len(skipped)} left out")
    return not failed


if __name__ == "__main__":
    try:
        sys.exit(0 if main(sys.argv[1:]) else 1)
    except Wrong as error:
        sys.exit(f"error: {error}")
