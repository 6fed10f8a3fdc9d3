"""Sums the driving hours of a week and reports rests that are too short."""
import json
from datetime import datetime, timedelta

DAILY_REST = timedelta(hours=11)
WEEK_LIMIT = timedelta(hours=56)


def handler(event, context):
    shifts = sorted(json.loads(event["body"])["shifts"], key=lambda shift: shift["from"])
    total = timedelta()
    problems = []
    last_end = None
    for shift in shifts:
        start, end = (datetime.fromisoformat(shift[name]) for name in ("from", "until"))
        if last_end is not None and start - last_end < DAILY_REST:
            problems.append(f"rest before {shift['from']} is {start - last_end}")
        total += end - start
        last_end = end
    if total > WEEK_LIMIT:
        problems.append(f"{total} of driving in a week")
    return {"hours": round(total.total_seconds() / 3600, 2), "problems": problems}
