"""Returns median, p95 and p99 of a list of durations."""
import json
from statistics import quantiles


def handler(event, context):
    values = json.loads(event["body"])["milliseconds"]
    if len(values) < 2:
        return {"statusCode": 400, "body": "milliseconds: expected at least two values"}
    cuts = quantiles(values, n=100, method="inclusive")
    return {"count": len(values), "median": cuts[49], "p95": cuts[94], "p99": cuts[98]}
