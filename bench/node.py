"""Prints the table of scripts/bench-node and writes its JSON: node.py FOLDER FILE."""

import datetime, json, os, sys

folder, path = sys.argv[1:]
lines = lambda name: open(os.path.join(folder, name)).read().splitlines()
figures = [json.loads(line) for line in lines("figures")]
record = {
    "date": datetime.date.today().isoformat(),
    "machine": lines("machine"),
    "figures": figures,
    "missing": lines("missing"),
}
with open(path, "w") as file:
    json.dump(record, file, indent=1)

more_is_better = {"pairs_rate", "pairs_stream"}
table, behind = {}, 0
for row in figures:
    measure = row.get("measure") or f"{row['pattern']}, {row['comms']}, {row['threads']} threads"
    if "pattern" in row:
        more_is_better.add(measure)
    key = (row["processes"], measure, row.get("bytes", 0))
    table.setdefault(key, {})[row["library"]] = row["value"]

print(f"{'processes':>9}  {'measure':34} {'bytes':>8} {'Nemesis':>11} {'best rival':>11} {'ratio':>6}")
compared = []
for (processes, measure, bytes_), by_library in table.items():
    ours = by_library.get("nemesis")
    others = [value for name, value in by_library.items() if name != "nemesis"]
    rival = (max if measure in more_is_better else min)(others, default=None)
    text = lambda value: "-" if value is None else f"{value:.3e}"
    ratio = ""
    if ours and rival:
        times = ours / rival if measure in more_is_better else rival / ours
        compared.append(times)
        ratio = f"{times:.2f}"
    print(f"{processes:9}  {measure:34} {bytes_:8} {text(ours):>11} {text(rival):>11} {ratio:>6}")
if compared:
    compared.sort()
    behind = sum(times < 1 for times in compared)
    print(f"median {compared[len(compared) // 2]:.2f}, a rival is ahead in {behind} of "
          f"{len(compared)} cells")
for line in record["missing"]:
    print(f"no time left for {line}")
print(f"record: {path}")
