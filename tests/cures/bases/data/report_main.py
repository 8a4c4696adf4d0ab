# library: pandas
# needs: pandas
# compare: result, config, table

# %%
import argparse
import json
import logging
import sys
from pathlib import Path

import pandas as pd

logging.basicConfig(stream=sys.stdout, level=logging.WARNING)
log = logging.getLogger("report")

config = {
    "input": "in/energy.csv",
    "output": "out/report.json",
    "columns": {"kunde": "customer", "kwh": "kwh", "datum": "date"},
    "tariffs": [{"up_to": 100, "price": 0.31}, {"up_to": 300, "price": 0.27}, {"up_to": None, "price": 0.24}],
}

# %%
def prepare(cfg):
    path = Path(cfg["input"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "kunde,datum,kwh,zaehler\n"
        "K1,2024-01-31,80,A\nK1,2024-02-29,140,A\nK2,2024-01-31,420.5,B\n"
        "K2,2024-02-29,-1,B\nK3,2024-01-31,,C\nK3,2024-02-29,310,C\n"
    )
    return path


def load(cfg):
    df = pd.read_csv(cfg["input"], usecols=list(cfg["columns"]), parse_dates=["datum"])
    df = df.rename(columns=cfg["columns"])
    bad = df["kwh"].isna() | (df["kwh"] < 0)
    if bad.any():
        log.info("%d bad rows", bad.sum())
    return df[~bad]


def bill(kwh, tariffs):
    total, lower = 0.0, 0
    for step in tariffs:
        upper = step["up_to"] if step["up_to"] is not None else float("inf")
        used = min(kwh, upper) - lower
        if used <= 0:
            break
        total += used * step["price"]
        lower = upper
    return round(total, 2)

# %%
def main(argv):
    parser = argparse.ArgumentParser()
    parser.add_argument("--month", type=int, default=None)
    parser.add_argument("--vat", type=float, default=0.19)
    args = parser.parse_args(argv)
    prepare(config)
    df = load(config)
    if args.month:
        df = df[df["date"].dt.month == args.month]
    df = df.assign(net=df["kwh"].apply(bill, tariffs=config["tariffs"]))
    df["gross"] = (df["net"] * (1 + args.vat)).round(2)
    out = Path(config["output"])
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps({"n": len(df), "gross": float(df["gross"].sum())}))
    return df

table = main(["--vat", "0.2"])
table

# %%
february = main(["--month", "2"])
result = json.loads(Path(config["output"]).read_text())
result

