"""The part `prove`: the proof's cases that need a GPU (tests/proof), broken, repaired and run; then the same with the engine's own
first fix as it stands. What was printed goes to `proofs.jsonl`, one case per line, for tests/proof/captured.

Without a GPU one case that needs none is rehearsed in the same way."""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from steps import NO_GPU, ROOT, not_run

PROOF = ROOT / "tests/proof"
OPTIONS = {}
REHEARSED = "jupyter/assignment-for-comparison"
LINE = re.compile(r"^(ok  |skip|FAIL) \[\d+/\d+\] (\S+) \d+ s ?(?:\((.*)\))?(.*)", re.M | re.S)


def main(part):
    import outputs

    names = sorted(f"gpu/{path.parent.name}" for path in (PROOF / "cases/gpu").glob("*/case.toml"))
    if not part.options["engine"]:
        part.write("engine", {"status": "failed", "why": "no command line: it judges the outputs"})
        return
    if sys.version_info < (3, 9) or not (outputs.there("jupyter_client") and outputs.there("ipykernel")):
        part.write("kernel", {"status": "failed", "why": "needs Python 3.9 or newer with ipykernel and jupyter_client"})
        return
    jobs = [(f"proof {name}", 200, (name, False), True) for name in names]
    jobs += [(f"own {name}", 200, (name, True), True) for name in names]
    results = part.at_once(jobs, min(3, outputs.workers(part.options)))
    if not part.options["gpu"] and (PROOF / "cases" / REHEARSED).is_dir():
        results.append(part.step(f"proof {REHEARSED}", 200, REHEARSED, False, gpu=False))
        if not part.options["quick"]:
            part.step(f"own {REHEARSED}", 200, REHEARSED, True, gpu=False)
    captured = [result["record"] for result in results if "record" in result and part.options["gpu"]]
    outputs.store(part.out / "proofs.jsonl", captured)
    own = [result for result in part.results if result["step"].startswith("own ") and result["status"] in ("passed", "failed")]
    if own:
        part.write("own fixes", {"status": "seen", "ends_well": sum(bool(one.get("ends_well")) for one in own), "of": len(own)})


def step_proof(name, own):
    return prove(name, own)


def step_own(name, own):
    return prove(name, own)


def prove(name, own):
    with tempfile.TemporaryDirectory(prefix="nbmedic-proof-") as folder:
        folder = pathlib.Path(folder)
        for env in ("torch", "tensorflow"):
            python(folder / env / "bin/python")
        variables = {
            **os.environ, "NBMEDIC_PROOF": str(folder), "NBMEDIC_CLI": OPTIONS["engine"], "NBMEDIC_PROOF_JOBS": "1",
            "NBMEDIC_PROOF_CAPTURED": str(folder / "captured"), "CARGO_TARGET_DIR": str(folder / "target"), "PYTHONDONTWRITEBYTECODE": "1",
        }
        call = [sys.executable, str(PROOF / "run.py"), "prove", *(["--own"] if own else []), name]
        done = subprocess.run(call, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=variables, cwd=str(folder))
        said = done.stdout.decode(errors="replace")
        found = LINE.search(said)
        if found and found[1] == "skip":
            return not_run(NO_GPU if "GPU" in (found[3] or "") else found[3])
        well = bool(found) and found[1] == "ok  "
        result = {"status": "passed" if well else "failed", "case": name, "said": said[-3000:]}
        if own:
            rows = folder / "target/proof-own.json"
            row = json.loads(rows.read_text(encoding="utf-8")) if rows.exists() else []
            row = row[0] if row else {}
            # A first fix that is no edit, or does not cure, is a figure and not a fault of this run.
            return {**result, "ends_well": bool(row.get("ends_well")), "row": row, "words": row.get("end", "")[:100]}
        captured = folder / "captured" / f"{name}.json"
        if captured.exists():
            result["record"] = {"name": name, "captured": json.loads(without_site(captured.read_text(encoding="utf-8")))}
        return result


def without_site(text):
    import outputs

    return outputs.without_site(text)


def python(path):
    """A Python where the proof's runner looks for one: this one, with the packed ipykernel."""
    path.parent.mkdir(parents=True)
    site = os.environ.get("PYTHONPATH", "")
    path.write_text(f"#!/bin/sh\nPYTHONPATH={shlex.quote(site)} exec {shlex.quote(sys.executable)} \"$@\"\n")
    path.chmod(0o755)
