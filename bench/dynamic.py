"""Prints the table of scripts/bench-dynamic: dynamic.py FIGURES."""

import json, sys

figures = {}
for line in open(sys.argv[1]):
    row = json.loads(line)
    if row["what"].endswith(")"):
        continue
    cell = figures.setdefault(row["what"], {})
    cell[row["library"]] = min(cell.get(row["library"], row["value"]), row["value"])

libraries = ["nemesis", "mpich", "openmpi", "impi"]
print(f"{'':30}", *(f"{name:>12}" for name in libraries), "  best rival/ours")
for what, cell in figures.items():
    unit, factor = ("us", 1e6) if "B " in what else ("ms", 1e3)
    shown = [f"{cell[name] * factor:12.2f}" if name in cell else f"{'-':>12}"
             for name in libraries]
    rivals = [value for name, value in cell.items() if name != "nemesis"]
    ours = cell.get("nemesis")
    quotient = f"{min(rivals) / ours:8.2f}" if ours and rivals else f"{'-':>8}"
    print(f"{what + ', ' + unit:30}", *shown, quotient)
for length in ["8 B", "1 MiB"]:
    near = figures.get(f"{length} within a job", {}).get("nemesis")
    far = figures.get(f"{length} with a spawned process", {}).get("nemesis")
    if near and far:
        print(f"{length} with a spawned process takes {far / near:.1f} times the time within a job")
