"""Checks whether a position lies inside a polygon: the ray casting test."""
import json


def inside(point, polygon):
    x, y = point
    result = False
    for (x1, y1), (x2, y2) in zip(polygon, polygon[1:] + polygon[:1]):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            result = not result
    return result


def handler(event, context):
    body = json.loads(event["body"])
    return {"inside": inside(body["point"], body["polygon"])}
