"""Reads a ship's manifest as CSV and totals containers by port and size."""
import csv
import io
from collections import Counter


def handler(event, context):
    rows = csv.DictReader(io.StringIO(event["body"]))
    totals = Counter()
    for row in rows:
        totals[(row["port"].strip().upper(), row["size"])] += 1
    return {"totals": [{"port": port, "size": size, "containers": n} for (port, size), n in sorted(totals.items())]}
