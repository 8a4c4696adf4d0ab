"""What the catalogue and docs/proof.md say of the proof: checked, and written."""

import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LOCK, REPORT = ROOT / "src/catalog/proven.lock", ROOT / "docs/proof.md"


def said(engine):
    """Every fix and what is said of its proof: {(diagnosis, fix): sentence}."""
    done = subprocess.run([engine, "rules", "--format", "json"], capture_output=True, text=True, check=True)
    return {(rule["id"], fix): proof for rule in json.loads(done.stdout) for fix, proof in zip(rule["fixes"], rule["proofs"])}


def proofs(results):
    """By which case each fix is proven: {(diagnosis, fix): `case (versions)`}; the first of several."""
    found = {}
    for one in sorted(results, key=lambda r: r["case"]):
        for proof in (one, *one.get("also", [])):
            found.setdefault((one["diagnosis"], proof["fix"]), f"{one['case']} ({versions(one)})")
    return found


def versions(one):
    return ", ".join(f"{name} {version}" for name, version in one["versions"].items())


def check(engine, results, cases):
    """The number of checks, and what is wrong: in the catalogue, or in the report."""
    fixes, wanted, bad = said(engine), proofs(results), []
    for key, sentence in fixes.items():
        want = f"Proven: {wanted[key]}" if key in wanted else "Not proven here"
        if not (sentence == want if key in wanted else sentence.startswith(want)):
            bad.append(f"{'/'.join(key)} says {sentence!r}, and the proof {want!r}: ./build.sh prove")
    bad += [f"{'/'.join(key)} is proven, and not in the catalogue" for key in wanted if key not in fixes]
    if not LOCK.exists() or LOCK.read_text(encoding="utf-8") != lock(results):
        bad.append("proven.lock is not what the stored results give: ./build.sh prove")
    if not REPORT.exists() or REPORT.read_text(encoding="utf-8") != report(engine, results, cases):
        bad.append("docs/proof.md is not what the stored results give: ./build.sh prove")
    return len(fixes) + 2, bad


def counts(engine):
    """`211 fixes: 60 proven, 151 not proven here (no case yet: 151)`."""
    sentences = list(said(engine).values())
    reasons = {}
    for sentence in sentences:
        if not sentence.startswith("Proven"):
            reason = sentence.partition(": ")[2] or "no case yet"
            reasons[reason] = reasons.get(reason, 0) + 1
    proven = len(sentences) - sum(reasons.values())
    rest = ", ".join(f"{reason}: {n}" for reason, n in sorted(reasons.items(), key=lambda r: -r[1]))
    return f"{len(sentences)} fixes: {proven} proven, {sum(reasons.values())} not proven here ({rest})"


def lock(results):
    """The text of proven.lock: by which case each fix is proven."""
    rules = {}
    for (rule, fix), proof in proofs(results).items():
        rules.setdefault(rule, {})[fix] = proof
    lines = [
        "# By which case of tests/proof each fix was shown to work, and with which versions.",
        "# Written by `./build.sh prove`; do not edit.",
    ]
    for rule, fixes in sorted(rules.items()):
        lines += ["", f"[{rule}]"] + [f"{fix} = {json.dumps(proof)}" for fix, proof in sorted(fixes.items())]
    return "\n".join(lines) + "\n"


def mark(results):
    """Writes proven.lock; whether it changed."""
    text = lock(results)
    if LOCK.exists() and LOCK.read_text(encoding="utf-8") == text:
        return False
    LOCK.write_text(text, encoding="utf-8")
    return True


def report(engine, results, cases):
    """docs/proof.md."""
    results, titles = sorted(results, key=lambda r: r["case"]), {case.name: case.title for case in cases}
    waiting = [case for case in cases if "gpu" in case.needs and not any(one["case"] == case.name for one in results)]
    names = {name for one in results for name in one["versions"].items()}
    lines = [
        "# What was proven", "",
        "Written by `./build.sh prove`. In each case a program failed in a real Jupyter kernel, nbmedic named the cause from what was",
        "printed (or, where the kernel died, from its flight record), the code of its own remedy was put into the program, and the program",
        "ran; a remedy that only looks showed what the failure did not. The programs, and how a remedy is applied, are in",
        "[tests/proof](../tests/proof/README.md).", "",
        f"{len(results)} cases. {counts(engine)}.", "",
        f"Python {', '.join(sorted({one['python'] for one in results}))}; {', '.join(f'{n} {v}' for n, v in sorted(names))}.", "",
        "| Case | Situation | Diagnosis | Remedy | With | Before | After |", "|---|---|---|---|---|---|---|",
    ]
    for one in results:
        diagnosis = "/".join(filter(None, (one["diagnosis"], one["variant"])))
        for proof in (one, *one.get("also", [])):
            row = [one["case"], titles.get(one["case"], ""), f"`{diagnosis}`", f"`{proof['fix']}`", versions(one), code(one["broken"]), code(proof["fixed"])]
            lines.append(f"| {' | '.join(row)} |")
    lines += ["", "## Tried, and no help", "", "Popular remedies that were tried in these programs. The catalogue says so.", ""]
    lines += ["| Case | Remedy | What came of it |", "|---|---|---|"]
    for one in results:
        lines += [f"| {one['case']} | {escape(tried['remedy'])} | {code(tried['outcome'])} |" for tried in one["tried"]]
    lines += ["", "## Not proven here", "", "Cases that are written, and were left out for want of an NVIDIA GPU:", ""]
    lines += [f"- {case.name}: {case.title} (`{case.diagnosis}`, `{case.fix}`)" for case in waiting] + [""]
    rest = {}
    for (rule, fix), sentence in said(engine).items():
        if not sentence.startswith("Proven"):
            rest.setdefault(sentence.partition(": ")[2] or "no case yet", {}).setdefault(rule, []).append(fix)
    for reason, rules in sorted(rest.items()):
        lines += [f"### {reason[0].upper()}{reason[1:]}", ""]
        lines += [f"- `{rule}`: {', '.join(fixes)}" for rule, fixes in sorted(rules.items())]
        lines.append("")
    return "\n".join(lines)


def escape(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def code(text):
    return escape(text).replace("`", "'")
