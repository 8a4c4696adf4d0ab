"""The bench of cures: working notebooks broken by operators, repaired by nbmedic's first fix alone, run again, compared."""

import argparse
import collections
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
# A folder of hosted machines that some notebooks name, and that a fix may make.
HOSTED = pathlib.Path("/content")
HAD_HOSTED = HOSTED.exists()
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE)]

import bases  # noqa: E402
import edits  # noqa: E402
import fixes  # noqa: E402
import judge  # noqa: E402
import mutants  # noqa: E402
import real  # noqa: E402
import sample  # noqa: E402
import tables  # noqa: E402
import twins  # noqa: E402

# What each environment loads before it forks, and from where programs may branch off: after any step, or only at the start
# (a library whose threads have started does not live on in a forked process).
DATA = "numpy pandas matplotlib.pyplot seaborn scipy.stats scipy.optimize scipy.signal statsmodels.api statsmodels.formula.api sklearn.linear_model \
sklearn.ensemble sklearn.model_selection sklearn.metrics sklearn.preprocessing sklearn.pipeline sklearn.compose sklearn.cluster sklearn.decomposition \
sklearn.neighbors sklearn.svm sklearn.tree sklearn.impute sklearn.datasets sklearn.feature_extraction.text xgboost lightgbm PIL.Image cv2 polars \
pyarrow sqlite3 openpyxl"
GROUPS = {
    "data": ("steps", DATA.split()),
    "torch": ("steps", "numpy pandas matplotlib.pyplot torch torch.utils.data transformers datasets sklearn.model_selection".split()),
    "tensorflow": ("start", "numpy pandas matplotlib.pyplot tensorflow keras sklearn.model_selection".split()),
    "jax": ("start", "numpy jax jax.numpy".split()),
}


# Saved notebooks of the stored sample are at most so large, in bytes.
LARGEST = 9000


class Worker:
    """A process of a group's environment that runs programs."""

    def __init__(self, folder, homes, package):
        self.folder, self.homes, self.group, self.process = folder, homes, "", None
        # Where the Python package is that tries fixes.
        self.package = package

    def ask(self, group, job):
        if self.group != group or self.process is None or self.process.poll() is not None:
            self.close()
            mode, modules = GROUPS[group]
            command = [str(self.homes / group / "bin/python"), str(HERE / "worker.py"), mode, *modules]
            env = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG", "LD_LIBRARY_PATH")}
            if self.package:
                env["PYTHONPATH"] = self.package
            # What libraries read before the worker's first line.
            env |= {"HOME": str(self.folder), "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "LANG": "C.UTF-8"}
            log = open(self.folder / "worker.log", "a")
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, cwd=self.folder, env=env)
            self.group = group
            self.answer()
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        return self.answer()

    def answer(self):
        """The next line that is the worker's own: programs may print to the same file."""
        for line in self.process.stdout:
            if line.startswith("ready"):
                return {}
            if line.startswith('{"end"'):
                return json.loads(line)
        raise RuntimeError(f"the worker ended: {self.folder / 'worker.log'}")

    def close(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process = None


class Bench:
    """The mutants of one base, from the draw to the verdicts."""

    def __init__(self, base, worker, options):
        self.base, self.worker, self.options = base, worker, options
        self.folder = worker.folder / hashlib.sha256(base.name.encode()).hexdigest()[:10]
        self.folder.mkdir(exist_ok=True)

    def run(self, number, programs):
        """Runs programs: {id: {"steps", "may_fail"}}. Returns the base's report, and each program's with outputs of all its steps."""
        job = {
            "pass": number, "folder": str(self.folder), "files": self.base.files, "compare": self.base.compare, "steps": self.base.steps,
            "values": str(self.folder / "values.pickle"), "tries": number == 1 and "tries" in self.options.engines, "programs": [{"id": name, **one} for name, one in programs.items()],
        }
        end = self.worker.ask(self.base.group, job)["end"]
        if end:
            raise RuntimeError(f"{self.base.name}: {end}")
        report = json.loads((self.folder / "base.json").read_text())
        results = {}
        for name in programs:
            file = self.folder / "results" / f"{name}.json"
            if report["ends"].get(name) or not file.exists():
                results[name] = {"end": report["ends"].get(name) or "broken", "at": None, "outputs": [], "values": {}}
                continue
            one = json.loads(file.read_text())
            results[name] = {**one, "outputs": report["outputs"][: one["first"]] + one["outputs"]}
        return report, results

    def fail(self, wanted):
        """The first `wanted` mutants in the order drawn that fail with an exception: [(mutant, run)], and the unbroken run."""
        source = (m for m in mutants.drawn(self.base, self.options.seed, self.options.operators) if self.wanted(m))
        found, report = [], None
        for size in (wanted + wanted // 2 + 2, wanted + 4, wanted + 8):
            batch = [m for _, m in zip(range(size), source)]
            if not batch or len(found) >= wanted:
                break
            programs = {}
            for one in batch:
                programs[one.id] = {"steps": one.steps}
                programs |= {f"{one.id}-{i}": {"steps": steps} for i, steps in enumerate(one.singles)}
            report, results = self.run(1, programs)
            if report["end"]:
                raise RuntimeError(f"{self.base.name}: the unbroken program fails: {report['outputs'][-1][-1]}")
            for one in batch:
                alone = [results[f"{one.id}-{i}"] for i in range(len(one.singles))]
                if results[one.id]["end"] == "error" and all(other["end"] == "error" for other in alone):
                    left = [
                        {"position": one.singles[i][other["at"]][0], "error": judge.error(other["outputs"][other["at"]])} for i, other in enumerate(alone)
                    ]
                    run = results[one.id]
                    own = {"position": one.steps[run["at"]][0], "error": judge.error(run["outputs"][run["at"]])}
                    # Of two faults one shows first; once that is repaired, what is left is how the other fails alone.
                    one.left = [other for other in left if other != own]
                    if len(one.left) == len(left) // 2:
                        found.append((one, run))
        return found[:wanted], report

    def wanted(self, mutant):
        return mutant.id in self.options.ids if self.options.ids else self.options.half in ("both", mutant.half)

    def save(self, mutant, run):
        """The notebook as it is saved after the failure."""
        ran, count = {}, 0
        for (position, _), outputs in zip(mutant.steps, run["outputs"]):
            count += 1
            ran[position] = (count, outputs)
        path = self.folder / "saved" / mutant.id / "notebook.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(fixes.saved(mutant.cells, ran), ensure_ascii=False)
        # As on a hosted machine: nothing of this one, and the same on each.
        runs = [str(self.folder / "runs" / mutant.id), str(self.folder / "base")]
        for here, there in [(one, "/content") for one in runs] + fixes.places(self.worker.homes / self.base.group):
            text = text.replace(here, there)
        path.write_text(text, encoding="utf-8")
        return path

    def first(self, engine, mutant, run, path):
        """What an engine says first: its failure with its fix. `none` leaves the fix out, `original` puts the right text back."""
        if engine == "none":
            return {"title": "", "diagnosis": "", "fix": {"kind": "edit", "id": "none", "applicability": "", "title": "", "edits": [], "none": True}}
        if engine == "tries":
            plain = fixes.first(self.options.engine, path)
            # Of cells that never ran a kernel knows nothing: the notebook does.
            cells = ((plain or {}).get("fix") or {}).get("kind") == "run"
            return plain if cells else run.get("tried") or plain
        if engine == "original":
            return {"title": "", "diagnosis": "", "fix": {"kind": "edit", "id": "original", "applicability": "", "title": "", "original": True}}
        return fixes.first(engine, path)

    def follow(self, mutant, run, failure):
        """The program with the fix followed, or a verdict if there is none to follow."""
        fix = failure and failure.get("fix")
        if not failure or not fix:
            return None, ("nothing", "")
        if fix.get("original"):
            return fixes.Program(self.base.cells, self.base.steps), None
        if fix.get("none"):
            if not mutant.session:
                return fixes.Program(mutant.cells, mutant.steps), None
            fix = {"kind": "run", "run": [mutant.steps[run["at"]][0]]}
        if fix["kind"] not in ("edit", "run", "install") or fix["kind"] == "edit" and not fix.get("edits"):
            return None, ("words", judge.words(failure, mutant.tokens))
        try:
            return fixes.followed(fix, mutant.cells, mutant.steps, run["at"], mutant.session), None
        except fixes.Refused as why:
            return None, ("still failing", str(why))

    def rows(self, wanted):
        """A row for each mutant and engine, and for each twin of what was repaired."""
        failed, base = self.fail(wanted)
        if not failed:
            return []
        out = self.judged(failed, base)
        if self.options.twins:
            by = {mutant.id: mutant for mutant, _ in failed}
            good = [row for row in out if row["verdict"] == "repaired" and row["engine"] == 0 and "+" not in row["operator"]]
            for technique in twins.TECHNIQUES:
                out += self.twins(technique, [(row, other) for row in good if (other := twins.twin(by[row["id"]], technique))])
        if not self.options.keep:
            shutil.rmtree(self.folder, ignore_errors=True)
        if not HAD_HOSTED:
            shutil.rmtree(HOSTED, ignore_errors=True)
        return out

    def twins(self, technique, pairs):
        """Rows of mutants otherwise written: whether each gets the same fix, and is repaired by it too."""
        out = []
        groups = {}
        for row, other in pairs:
            groups.setdefault(json.dumps(other.base.cells), []).append((row, other))
        for group in groups.values():
            bench = Bench(group[0][1].base, self.worker, self.options)
            report, results = bench.run(1, {other.id: {"steps": other.steps} for _, other in group})
            failed = [(other, results[other.id]) for _, other in group if results[other.id]["end"] == "error" and not report["end"]]
            before = {other.id: row for row, other in group}
            for row in bench.judged(failed, report):
                was = before[row["id"]]
                same = row["verdict"] == "repaired" and row["label"] == was["label"] and row["fix id"] == was["fix id"]
                out.append({**row, "twin": technique, "half": was["half"], "same": same, "was": was["fix id"]})
            shutil.rmtree(bench.folder, ignore_errors=True)
        return out

    def judged(self, failed, base):
        """Follows the first fix of each engine for mutants that failed."""
        plans, programs = [], {}
        for mutant, run in failed:
            path = self.save(mutant, run)
            for engine in self.options.engines:
                failure = self.first(engine, mutant, run, path)
                program, verdict = self.follow(mutant, run, failure)
                key = ""
                if program:
                    key = hashlib.sha256(json.dumps([mutant.id, program.steps, list(program.may_fail)]).encode()).hexdigest()[:12]
                    programs[key] = {"steps": program.steps, "may_fail": list(program.may_fail), "renamed": mutant.renamed}
                plans.append((mutant, run, engine, failure, program, verdict, key, path))
        again, results = self.run(2, programs)
        shaky = {
            "names": {name for name, how in again.get("values", {}).items() if how != "same"},
            "cells": judge.unstable(self.base.steps, base["outputs"], again["outputs"]),
        }
        if self.options.check:
            self.compare(failed)
        out = []
        for mutant, run, engine, failure, program, verdict, key, path in plans:
            if program:
                verdict = judge.after(mutant, program, run, results[key], base, shaky)
            out.append(self.row(mutant, run, engine, failure, program, verdict, path))
        return out

    def compare(self, failed):
        """Some of the mutants in real kernels. What differs is printed, of the half for work."""
        python = self.worker.homes / self.base.group / "bin/python"
        for mutant, run in failed[:: max(1, len(failed) // 3)]:
            with self.options.lock:
                if self.options.kernels <= len(self.options.compared):
                    return
                self.options.compared.append("")
                place = len(self.options.compared) - 1
            try:
                with real.kernel(python, self.base.files) as kernel:
                    how = real.differ(run["outputs"], real.run(kernel, mutant.steps)[0])
            except (TimeoutError, RuntimeError) as error:
                how = f"the kernel did not answer: {error}"
            self.options.compared[place] = how and (f"{mutant.name}: {how}" if mutant.half == "work" else "one of the half for judging")

    def row(self, mutant, run, engine, failure, program, verdict, path):
        fix = (failure or {}).get("fix") or {}
        row = {
            "id": mutant.id, "base": self.base.name, "library": self.base.library, "operator": "+".join(mutant.operators), "half": mutant.half,
            "engine": self.options.engines.index(engine), "verdict": verdict[0], "label": fix.get("applicability") or "", "kind": fix.get("kind") or "",
            "digest": fixes.digest(fix) if fix.get("kind") and "none" not in fix and "original" not in fix else "",
            "precise": verdict[0] == "words" and verdict[1] == "precise", "fix id": f"{(failure or {}).get('diagnosis', '')}/{fix.get('id', '')}",
        }
        if not self.options.twins:
            del row["fix id"]
        if self.options.edits and engine not in ("none", "original", "tries"):
            row["faults"] = edits.faults(engine, path, fix, self.base.cells, mutant.cells)
        if mutant.half == "judge":
            return row
        # Texts only of the half for work.
        ename, evalue = judge.error(run["outputs"][run["at"]])
        for here, there in fixes.places(self.worker.homes / self.base.group):
            evalue = evalue.replace(here, there)
        cell = mutant.steps[run["at"]][0]
        return row | {
            "error": f"{ename}: {evalue}"[:400], "cell": cell, "tokens": mutant.tokens, "diagnosis": (failure or {}).get("diagnosis", ""),
            "fix": fix.get("id", ""), "title": fix.get("title", ""), "edits": fix.get("edits", []), "run": fix.get("run", []), "note": verdict[1],
            "changed": changed(self.base.cells, mutant.cells), "number": mutant.number,
            **({"notebook": path.read_text(encoding="utf-8")} if (self.options.store or self.options.sample) and path.stat().st_size < LARGEST else {}),
        }


def changed(one, other):
    """The lines that differ between two programs, as [position, before, after]."""
    out = []
    for i, ((_, a), (_, b)) in enumerate(zip(one, other), 1):
        if a != b:
            before, now = a.split("\n"), b.split("\n")
            while before and now and before[0] == now[0]:
                before, now = before[1:], now[1:]
            while before and now and before[-1] == now[-1]:
                before, now = before[:-1], now[:-1]
            out.append([i, "\n".join(before[:6]), "\n".join(now[:6])])
    return out


def arguments(argv=None):
    parser = argparse.ArgumentParser(prog="./build.sh cures", description=__doc__)
    parser.add_argument("--limit", type=int, default=1000, metavar="N", help="as many mutants (default 1000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--half", choices=("work", "judge", "both"), default="both")
    parser.add_argument("--jobs", type=int, default=2, help="programs that run at the same time")
    parser.add_argument("--bases", metavar="DIR", help="a folder of notebooks, or of files in percent format, instead of the stored ones")
    parser.add_argument("--only", metavar="TEXT", help="only bases whose name contains this")
    parser.add_argument("--operators", metavar="ID,…", help="only these operators")
    parser.add_argument("--engine", default=os.environ.get("NBMEDIC_CLI", str(ROOT / "target/debug/nbmedic")), help="the nbmedic that is measured; none or original for a check")
    parser.add_argument("--against", metavar="BINARY", help="another nbmedic, over the same mutants")
    parser.add_argument("--tries", metavar="DIR", help="also: with trials in a copy of the kernel. The Python package is in DIR")
    parser.add_argument("--check", action="store_true", help="also: with the fix left out, with the right text put back, and some in real kernels")
    parser.add_argument("--kernels", type=int, default=60, metavar="N", help="with --check: as many mutants run in real kernels too")
    parser.add_argument("--twins", action="store_true", help="also: what was repaired, otherwise written, must get the same fix")
    parser.add_argument("--edits", action="store_true", help="also: whether each edit is what it says")
    parser.add_argument("--read", type=int, default=0, metavar="N", help="prints N verdicts of the half for work, for reading")
    parser.add_argument("--list-misses", action="store_true", help="what was not repaired, of the half for work")
    parser.add_argument("--out", metavar="DIR", default=str(ROOT / "target/cures"), help="where rows and tables are kept")
    parser.add_argument("--again", action="store_true", help="forget what an interrupted run has kept")
    parser.add_argument("--store", action="store_true", help="keep the run's numbers and its sample in the tree")
    parser.add_argument("--sample", action="store_true", help="run those of the stored sample again whose first fix changed, and store them")
    parser.add_argument("--keep", action="store_true", help="keep the programs' folders")
    parser.add_argument("--homes", default=os.environ.get("NBMEDIC_CURES", str(ROOT / ".tools/cures")), help="the environments")
    options = parser.parse_args(argv)
    for name in ("engine", "against", "bases", "homes", "tries"):
        if "/" in (getattr(options, name) or ""):
            # Programs run in folders of their own.
            setattr(options, name, os.path.abspath(getattr(options, name)))
    options.ids = set()
    options.lock, options.compared = threading.Lock(), []
    options.operators = options.operators.split(",") if options.operators else None
    options.engines = [options.engine] + ([options.against] if options.against else []) + (["tries"] if options.tries else []) + (["none", "original"] if options.check else [])
    return options


def engine_digest(engine):
    return engine if engine in ("none", "original", "tries") else hashlib.sha256(pathlib.Path(engine).read_bytes()).hexdigest()[:16]


def key(options, chosen):
    """What a run is kept under: a run of the same is resumed."""
    code = [path.read_bytes() for path in sorted([*HERE.glob("*.py"), *(HERE / "operators").glob("*.py")]) if path.name != "tables.py"]
    parts = [sorted(options.ids), options.limit, options.seed, options.half, options.operators, [engine_digest(e) for e in options.engines], [(b.name, b.digest) for b in chosen]]
    return hashlib.sha256(json.dumps(parts).encode() + b"".join(code)).hexdigest()[:12]


def bench(options, chosen):
    """Runs all bases, a row for each mutant and engine. What a run of the same options has kept is not run again."""
    out = pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    kept = out / f"rows-{key(options, chosen)}.jsonl"
    if options.again:
        kept.unlink(missing_ok=True)
    done, rows = set(), []
    for line in kept.read_text().splitlines() if kept.exists() else ():
        one = json.loads(line)
        done.add(one["base"])
        rows += one["rows"]
    share = -(-options.limit // max(1, len(chosen)))
    waiting, lock, began = collections.deque(), threading.Lock(), time.monotonic()
    order = sorted(chosen, key=lambda base: (list(GROUPS).index(base.group), base.name))
    for base in order:
        if base.name not in done:
            waiting.append(base)
    scratch = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="nbmedic-cures-")))

    def work(number):
        folder = scratch / f"worker-{number}"
        folder.mkdir()
        worker = Worker(folder, pathlib.Path(options.homes), options.tries)
        while True:
            try:
                # From both ends, so that a process seldom has to load another group's libraries.
                base = waiting.pop() if number == 0 else waiting.popleft()
            except IndexError:
                break
            try:
                made = Bench(base, worker, options).rows(share)
            except Exception as error:
                print(f"  {base.name}: left out: {type(error).__name__}: {error}", file=sys.stderr)
                continue
            # Of the half for judging, not even which fix it was.
            made = [{k: v for k, v in row.items() if row["half"] == "work" or k not in ("fix id", "was")} for row in made]
            with lock:
                rows.extend(made)
                with kept.open("a") as file:
                    file.write(json.dumps({"base": base.name, "rows": made}, ensure_ascii=False) + "\n")
                print(f"  {time.monotonic() - began:6.0f} s  {len(rows):5}  {base.name}", file=sys.stderr, flush=True)
        worker.close()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(options.jobs)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    if not options.keep:
        shutil.rmtree(scratch, ignore_errors=True)
    return sorted(rows, key=lambda row: (row["base"], row["operator"], row["id"], row["engine"])), time.monotonic() - began, kept


def main(argv=None):
    options = arguments(argv)
    chosen = [base for base in bases.every(options.bases) if not options.only or options.only in base.name]
    homes = pathlib.Path(options.homes)
    chosen = [base for base in chosen if (homes / base.group / "bin/python").exists()]
    if options.sample:
        options.ids, names = sample.changed(options.engine)
        chosen, options.limit, options.store = [base for base in chosen if base.name in names], len(options.ids) * 50, False
        print(f"{len(options.ids)} of the sample have another first fix")
    if not chosen:
        sys.exit("no bases, or no environment for them")
    rows, seconds, kept = bench(options, chosen)
    other, rows = [row for row in rows if "twin" in row], [row for row in rows if "twin" not in row]
    print(tables.report(rows, options, seconds, len(chosen)))
    if options.twins:
        print(tables.twins(other))
    if options.edits:
        print(tables.faults(rows))
    if options.check:
        print(tables.checks(rows, options))
    if options.read:
        print(tables.readable(rows, options))
    if options.list_misses:
        print(tables.misses(rows))
    if options.sample:
        print(sample.renew(rows))
    if options.store:
        print(sample.store(rows, options, seconds, chosen, " ".join(["./build.sh cures", *(argv or sys.argv[1:])])))
    tables.parquet(rows, kept.with_suffix(".parquet"))


if __name__ == "__main__":
    main()
