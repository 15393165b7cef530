"""Prints the table of scripts/bench-threads: patterns.py FIGURES."""

import json, sys

best, libraries = {}, []
for line in open(sys.argv[1]):
    row = json.loads(line)
    if row["library"] not in libraries:
        libraries.append(row["library"])
    key = (row["pattern"], row["comms"], row["threads"], row["library"])
    best[key] = max(best.get(key, 0), row["value"])

print("million messages a second of all threads, and the quotient to one thread")
print(f"{'':21} {'threads':>7}", *(f"{name:>15}" for name in libraries), "  ours/best rival")
rows = sorted({key[:3] for key in best}, key=lambda row: (row[1], list(best).index(
    next(key for key in best if key[:3] == row)), row[2]))
for pattern, comms, threads in rows:
    cells = []
    for name in libraries:
        value, one = (best.get((pattern, comms, count, name)) for count in (threads, 1))
        quotient = f" {value / one:5.2f}" if value and one and threads > 1 else " " * 6
        cells.append(f"{value / 1e6:9.3f}{quotient}" if value else f"{'-':>9}{'':6}")
    values = {name: best.get((pattern, comms, threads, name)) for name in libraries}
    rival = max((value for name, value in values.items() if value and name != "nemesis"), default=0)
    ours = values.get("nemesis")
    compared = f"{ours / rival:8.2f}" if ours and rival else f"{'-':>8}"
    print(f"{pattern + ', ' + comms:21} {threads:7}", *cells, compared)
