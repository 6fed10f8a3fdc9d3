"""Splits test files over machines so that each runs about as long."""
import heapq
import json


def split(durations, machines):
    heap = [(0.0, number, []) for number in range(machines)]
    for name, seconds in sorted(durations.items(), key=lambda each: -each[1]):
        total, number, files = heapq.heappop(heap)
        files.append(name)
        heapq.heappush(heap, (total + seconds, number, files))
    return sorted(heap, key=lambda each: each[1])


def handler(event, context):
    body = json.loads(event["body"])
    return {"machines": [{"seconds": round(t, 1), "files": f} for t, _, f in split(body["durations"], body["machines"])]}
