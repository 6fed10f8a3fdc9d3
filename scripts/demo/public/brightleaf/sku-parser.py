"""Splits an article number into family, colour and size."""
import re

PATTERN = re.compile(r"^(?P<family>[A-Z]{2,4})-(?P<colour>\d{3})-(?P<size>XXS|XS|S|M|L|XL|XXL|\d{2})$")
COLOURS = {"001": "black", "002": "white", "110": "navy", "230": "olive", "415": "coral"}


def handler(event, context):
    sku = event["queryStringParameters"].get("sku", "")
    found = PATTERN.match(sku)
    if found is None:
        return {"statusCode": 400, "body": "sku: expected FAMILY-COLOUR-SIZE, such as TEE-110-M"}
    parts = found.groupdict()
    return {**parts, "colour": COLOURS.get(parts["colour"], parts["colour"])}
