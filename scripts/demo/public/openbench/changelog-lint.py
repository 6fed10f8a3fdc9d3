"""Checks that a changelog has a date for each version and no empty sections."""
import re

VERSION = re.compile(r"^## \[?(?P<version>\d+\.\d+\.\d+)\]?(?: - (?P<date>\d{4}-\d{2}-\d{2}))?$")


def problems(text):
    section = None
    for number, line in enumerate(text.splitlines(), start=1):
        found = VERSION.match(line)
        if found and not found["date"]:
            yield f"line {number}: version {found['version']} has no date"
        if line.startswith("#"):
            if section is not None:
                yield f"line {section}: the section is empty"
            section = number if line.startswith("### ") else None
        elif line.strip():
            section = None


def handler(event, context):
    return {"problems": list(problems(event["body"]))}
