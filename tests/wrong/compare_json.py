"""Compares the lines of `mpiexec -check=json` with what the book says of their fields:
    python3 compare_json.py BOOK FILE KIND...

BOOK is the chapter, FILE the lines. There must be a finding of each KIND, and of no other. Prints
what differs, and exits with 1 if something does.
"""

import json
import re
import sys

book, lines, *wanted = sys.argv[1:]
with open(book, encoding="utf-8") as file:
    rows = [[cell.strip() for cell in row.strip(" |\n").split("|")] for row in file]
# Rows of the table of fields: name, type, meaning. A field of `other` is written `other.NAME`.
types = {row[0].strip("`"): row[1] for row in rows if len(row) == 3 and row[1] in {
    "string", "string or null", "integer", "integer or null", "integers", "object or absent"}}
kinds = {kind for row in rows if len(row) == 3 for kind in re.findall(r"`([a-z]+)`", row[1])}
CHECKS = {
    "string": lambda value: isinstance(value, str),
    "string or null": lambda value: value is None or isinstance(value, str) and value,
    "integer": lambda value: type(value) is int,
    "integer or null": lambda value: value is None or type(value) is int and value > 0,
    "integers": lambda value: all(type(each) is int for each in value) and value == sorted(value),
    "object or absent": lambda value: isinstance(value, dict),
}
differences = []


def compare(finding, prefix):
    """Compares the fields of an object, whose names in the book begin with `prefix`."""
    documented = {name[len(prefix):] for name in types if name.startswith(prefix)}
    documented = {name for name in documented if "." not in name}
    absent = {name for name in documented if types[prefix + name].endswith("absent")}
    differences.extend(f"{prefix}{name} is missing" for name in documented - absent - set(finding))
    for name, value in finding.items():
        if name not in documented:
            differences.append(f"{prefix}{name} is not in the book")
        elif not CHECKS[types[prefix + name]](value):
            differences.append(f"{prefix}{name} is no {types[prefix + name]}: {value!r}")


seen = set()
with open(lines, encoding="utf-8") as file:
    for line in file:
        found = json.loads(line)
        compare(found, "")
        compare(found.get("other", dict.fromkeys(("call", "module"), "") | dict.fromkeys(
            ("function", "file", "line"))), "other.")
        seen.add(found["kind"])
        if found["kind"] not in kinds:
            differences.append(f"the kind {found['kind']} is not in the book")
if seen != set(wanted):
    differences.append(f"findings of {sorted(seen)} instead of {sorted(wanted)}")
if len(types) < 10 or len(kinds) < 10:
    differences.append("the book has no tables of fields and kinds")
print("\n".join(differences), end="\n" if differences else "")
sys.exit(1 if differences else 0)
