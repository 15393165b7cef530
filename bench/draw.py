#!/usr/bin/env python3
"""Draws the picture of the README from a record: one-way latency by message size, log scale.

bench/draw.py bench/records/intel-xeon-2026-11-25.json > docs/latency.svg
"""

import json
import math
import sys

WIDTH, HEIGHT = 760, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 150, 40, 50
COLOURS = {"Nemesis": "#0b6e4f", "Open MPI": "#c1440e", "Intel MPI": "#2a5caa", "MPICH": "#8a6d00"}
SIZES = [8, 64, 512, 4096, 32768, 262144, 2097152, 16777216]
TIMES = [1e-7, 1e-6, 1e-5, 1e-4, 1e-3]


def main(path):
    with open(path, encoding="utf-8") as file:
        record = json.load(file)
    curves = []
    for library in record["libraries"]:
        points = [
            (figure["bytes"], figure["value"])
            for figure in library["figures"]
            if figure["measure"] == "latency" and figure["bytes"] > 0
        ]
        curves.append((library["name"], sorted(points)))
    sizes = [size for _, points in curves for size, _ in points]
    times = [time for _, points in curves for _, time in points]
    x = scale(min(sizes), max(sizes), LEFT, WIDTH - RIGHT)
    y = scale(min(times), max(times), HEIGHT - BOTTOM, TOP)
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">'
    )
    print('<rect width="100%" height="100%" fill="white"/>')
    machine = f'{record["machine"]["processor"]}, {record["date"][:10]}'
    text(LEFT, 22, f"One-way latency within a node, two processes ({machine})", "start")
    for size in SIZES:
        line(x(size), TOP, x(size), HEIGHT - BOTTOM)
        text(x(size), HEIGHT - BOTTOM + 18, bytes_text(size), "middle")
    for time in TIMES:
        if min(times) <= time <= max(times):
            line(LEFT, y(time), WIDTH - RIGHT, y(time))
            text(LEFT - 8, y(time) + 4, time_text(time), "end")
    ends = spread([y(points[-1][1]) for _, points in curves], 16)
    for (name, points), end in zip(curves, ends):
        colour = next(value for key, value in COLOURS.items() if name.startswith(key))
        path = " ".join(f"{x(size):.1f},{y(time):.1f}" for size, time in points)
        stroke = 2.5 if name.startswith("Nemesis") else 1.5
        print(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{stroke}"/>')
        text(WIDTH - RIGHT + 8, end + 4, name, "start", colour)
    print("</svg>")


def scale(low, high, begin, end):
    """Returns the map from [low, high], logarithmic, to [begin, end]."""
    span = math.log(high / low)
    return lambda value: begin + (end - begin) * math.log(value / low) / span


def spread(places, distance):
    """Moves labels apart, so that none lies on another."""
    order = sorted(range(len(places)), key=places.__getitem__)
    result = list(places)
    for above, below in zip(order, order[1:]):
        result[below] = max(result[below], result[above] + distance)
    return result


def line(x1, y1, x2, y2):
    print(f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="#ddd"/>')


def text(x, y, words, anchor, colour="#333"):
    print(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{words}</text>')


def bytes_text(size):
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit:
            return f"{size // unit} {name}"
    return f"{size} B"


def time_text(time):
    for unit, name in ((1e-3, "ms"), (1e-6, "µs")):
        if time >= unit * 0.999:
            return f"{time / unit:.0f} {name}"
    return f"{time * 1e9:.0f} ns"


main(sys.argv[1])
