"""Wraps a text to a width and keeps its paragraphs."""
import textwrap


def handler(event, context):
    width = int((event.get("queryStringParameters") or {}).get("width", "72"))
    paragraphs = event["body"].split("\n\n")
    return {"statusCode": 200, "body": "\n\n".join(textwrap.fill(each, width) for each in paragraphs)}
