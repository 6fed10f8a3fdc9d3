"""Finds the spans in which a refrigerated load was too warm."""
import json
import os

LIMIT = float(os.environ.get("MAX_CELSIUS", "8"))


def spans(readings):
    start = None
    for reading in readings:
        if reading["celsius"] > LIMIT and start is None:
            start = reading["time"]
        elif reading["celsius"] <= LIMIT and start is not None:
            yield start, reading["time"]
            start = None
    if start is not None:
        yield start, None


def handler(event, context):
    readings = json.loads(event["body"])["readings"]
    found = [{"from": a, "until": b} for a, b in spans(readings)]
    print(f"{len(readings)} readings, {len(found)} spans above {LIMIT} °C")
    return {"limit": LIMIT, "spans": found}
