"""Returns who is on call at a time, from a rotation by weeks."""
import os
from datetime import datetime, timezone

PEOPLE = os.environ.get("ROTATION", "ada,grace,linus").split(",")
START = datetime(2026, 1, 5, 9, tzinfo=timezone.utc)


def handler(event, context):
    at = (event.get("queryStringParameters") or {}).get("at")
    time = datetime.fromisoformat(at) if at else datetime.now(timezone.utc)
    weeks = int((time - START).total_seconds() // (7 * 86_400))
    return {"at": time.isoformat(), "on_call": PEOPLE[weeks % len(PEOPLE)], "next": PEOPLE[(weeks + 1) % len(PEOPLE)]}
