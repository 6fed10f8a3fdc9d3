"""Forecasts the demand of the next week by exponential smoothing."""
import json


def smooth(series, alpha=0.4):
    level = series[0]
    for value in series[1:]:
        level = alpha * value + (1 - alpha) * level
    return level


def handler(event, context):
    sales = json.loads(event["body"])["sales"]
    if len(sales) < 2:
        return {"statusCode": 400, "body": "sales: expected at least two weeks"}
    return {"next_week": round(smooth(sales), 1), "weeks": len(sales)}
