"""Prints the table of scripts/bench-epochs: epochs.py FIGURES ALL. If ALL is not empty, it prints
every figure."""

import json, statistics, sys

figures = {}
for line in open(sys.argv[1]):
    row = json.loads(line)
    key = (row["window"], row["epoch"], row["row"], row["measure"])
    cell = figures.setdefault(key, {}).setdefault(row["bytes"], {})
    cell[row["library"]] = min(cell.get(row["library"], row["value"]), row["value"])

def length(count):
    if count >= 1 << 20:
        return f"{count >> 20} MiB"
    return f"{count >> 10} KiB" if count >= 1 << 10 else f"{count} B"

print(f"{'window':9} {'epoch':9} {'row':>3} {'':4} {'lengths':>7} {'worst':>6} {'median':>6}"
      "  best rival / Nemesis; behind by more than a tenth")
behind = cells = 0
for key, lengths in figures.items():
    ratios = {}
    for count, cell in lengths.items():
        rivals = {name: value for name, value in cell.items() if name != "nemesis"}
        if "nemesis" not in cell or not rivals:
            continue
        best = min(rivals, key=rivals.get)
        ratios[count] = (rivals[best] / cell["nemesis"], best)
        if sys.argv[2]:
            values = "  ".join(f"{name} {value * 1e6:.3f}" for name, value in cell.items())
            print(f"    {key[0]} {key[1]} row of {key[2]}, {key[3]} {length(count)}: {values} us")
    if not ratios:
        continue
    values = [ratio for ratio, _ in ratios.values()]
    late = [f"{length(count)} {ratio:.2f} ({name})"
            for count, (ratio, name) in ratios.items() if ratio < 1 / 1.1]
    behind, cells = behind + len(late), cells + len(ratios)
    print(f"{key[0]:9} {key[1]:9} {key[2]:3} {key[3]:4} {len(values):7} {min(values):6.2f}"
          f" {statistics.median(values):6.2f}  {', '.join(late)}")
print(f"{cells} cells, {behind} behind by more than a tenth")
