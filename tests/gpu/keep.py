"""Puts a GPU's results into the tree: `keep.py FOLDER`. The captured outputs become tests/fixtures/outputs/gpu.jsonl, the proofs
tests/proof/captured/gpu/, and the rest goes to tests/gpu/results/. Results without a real GPU are refused."""

import json
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def real(path):
    """Whether a part's summary was written on a machine with a GPU, by its own library."""
    machine = json.loads(path.read_text(encoding="utf-8"))["machine"]
    return bool(machine.get("gpu")) and not machine.get("played")


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
    for path in [*summaries, *folder.glob("*.jsonl")]:
        if path.name not in ("outputs.jsonl", "proofs.jsonl", "rehearsed.jsonl"):
            shutil.copy(path, results / path.name)
    outputs = [one for one in lines(folder / "outputs.jsonl") if one["made"].get("gpu")]
    if outputs:
        place = root / "tests/fixtures/outputs/gpu.jsonl"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in outputs), encoding="utf-8")
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
