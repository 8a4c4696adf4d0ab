"""Writes a case's notebook from a text with `# %% [TAG…]` before each cell: write.py FILE|- FOLDER"""

import json
import pathlib
import re
import sys


def notebook(text):
    parts = re.split(r"(?m)^# %%(.*)\n", text)[1:]
    made = []
    for tags, code in zip(parts[::2], parts[1::2]):
        about = {"tags": tags.split()} if tags.split() else {}
        lines = code.strip("\n").splitlines(keepends=True)
        one = {"cell_type": "code", "id": f"cell-{len(made) + 1}", "metadata": about, "execution_count": None, "outputs": [], "source": lines}
        made.append(one)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


if __name__ == "__main__":
    text = sys.stdin.read() if sys.argv[1] == "-" else pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "broken.ipynb").write_text(json.dumps(notebook(text), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
