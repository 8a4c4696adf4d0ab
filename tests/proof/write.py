"""Makes a case's notebook of a text with `# %%` between the cells: write.py FILE|- FOLDER"""

import json
import pathlib
import re
import sys


def notebook(text):
    cells = [c.strip("\n") for c in re.split(r"(?m)^# %%.*\n", text) if c.strip()]
    made = [
        {"cell_type": "code", "id": f"cell-{i}", "metadata": {}, "execution_count": None, "outputs": [], "source": c.splitlines(keepends=True)}
        for i, c in enumerate(cells, 1)
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


if __name__ == "__main__":
    text = sys.stdin.read() if sys.argv[1] == "-" else pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "broken.ipynb").write_text(json.dumps(notebook(text), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
