"""Counts the reasons of returns by product and week."""
import json
from collections import defaultdict
from datetime import date


def handler(event, context):
    weeks = defaultdict(lambda: defaultdict(int))
    for row in json.loads(event["body"])["returns"]:
        year, week, _ = date.fromisoformat(row["date"][:10]).isocalendar()
        weeks[f"{year}-W{week:02}"][f"{row['product']}: {row['reason']}"] += 1
    return {week: dict(sorted(reasons.items(), key=lambda each: -each[1])) for week, reasons in sorted(weeks.items())}
