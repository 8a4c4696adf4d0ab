"""Puts a GPU's results into the tree: `keep.py FOLDER`. The captured outputs become tests/fixtures/outputs/gpu.jsonl, the proofs
tests/proof/captured/gpu/, and the rest goes to tests/gpu/results/. A run of some steps (`--only`) replaces these steps and leaves the
others. Programs that did not end as they were written are left out. Results without a real GPU are refused."""

import json
import pathlib
import sys

from steps import STATUSES

ROOT = pathlib.Path(__file__).resolve().parents[2]


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def real(path):
    """Whether a part's summary was written on a machine with a GPU, by its own library."""
    machine = json.loads(path.read_text(encoding="utf-8"))["machine"]
    return bool(machine.get("gpu")) and not machine.get("played")


def merge(path, rows, key):
    """Writes these rows over those of the same key; new ones come last."""
    known = {one[key]: one for one in lines(path)}
    known.update((one[key], one) for one in rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in known.values()), encoding="utf-8")


def main(folder, root=ROOT):
    folder, root = pathlib.Path(folder), pathlib.Path(root)
    summaries = sorted(folder.glob("*-summary.json"))
    if not summaries:
        return f"{folder}: no results"
    false = [path.name for path in summaries if not real(path)]
    if false:
        return f"{folder}: not of a real GPU: {', '.join(false)}"
    results = root / "tests/gpu/results"
    results.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.jsonl"):
        if path.name not in ("outputs.jsonl", "proofs.jsonl", "rehearsed.jsonl"):
            merge(results / path.name, lines(path), "step")
    for path in summaries:
        steps = lines(results / f"{path.name.removesuffix('-summary.json')}.jsonl")
        counts = {status: sum(one["status"] == status for one in steps) for status in STATUSES}
        summary = {"machine": json.loads(path.read_text(encoding="utf-8"))["machine"], "steps": counts}
        (results / path.name).write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    otherwise = {one["step"].removeprefix("case ") for one in lines(folder / "capture.jsonl") if one["status"] != "passed"}
    outputs = [one for one in lines(folder / "outputs.jsonl") if one["made"].get("gpu") and one["id"].removesuffix("-gpu") not in otherwise]
    if outputs:
        merge(root / "tests/fixtures/outputs/gpu.jsonl", outputs, "id")
    proofs = lines(folder / "proofs.jsonl")
    for one in proofs:
        place = root / "tests/proof/captured" / f"{one['name']}.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(one["captured"], ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{len(outputs)} outputs, {len(proofs)} proofs. Read the new texts, list what is misnamed in known-misses.txt as it is, then repair it;")
    print("tests/proof/run.py mark and report enter the proofs.")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
