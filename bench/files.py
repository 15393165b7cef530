"""Prints the table of scripts/bench-files: files.py FIGURES."""

import json, sys

figures = {}
for line in open(sys.argv[1]):
    row = json.loads(line)
    cell = figures.setdefault((row["what"], row["way"]), {})
    cell[row["library"]] = min(cell.get(row["library"], row["value"]), row["value"])

def shown(seconds):
    return "-" if seconds is None else f"{seconds * 1e6:.2f}"

libraries = ["nemesis", "mpich", "openmpi", "impi"]
print(f"{'microseconds':33} {'':11} {'raw':>9}", *(f"{name:>9}" for name in libraries),
      "  raw/ours  best rival/ours")
for (what, way), cell in figures.items():
    if way in ("raw", "at once"):
        continue
    # Of the same job: what a bare call costs depends on how the kernel's cache holds the file.
    bare = way == "collective" and figures.get((what, "at once")) or figures.get((what, "raw"))
    raw = bare.get("nemesis")
    ours = cell.get("nemesis")
    rivals = [value for name, value in cell.items() if name != "nemesis"]
    quotients = "".join(f"{value / ours:10.2f}" if ours and value else f"{'-':>10}"
                        for value in (raw, min(rivals, default=None)))
    print(f"{what:33} {way:11} {shown(raw):>9}",
          *(f"{shown(cell.get(name)):>9}" for name in libraries), quotients)
