"""Checks whether an address lies in one of the ranges of the office."""
import ipaddress
import os

RANGES = [ipaddress.ip_network(each) for each in os.environ.get("OFFICE_RANGES", "10.0.0.0/8").split(",")]


def handler(event, context):
    try:
        address = ipaddress.ip_address(event["queryStringParameters"]["address"])
    except (KeyError, ValueError):
        return {"statusCode": 400, "body": "address: expected an IP address"}
    return {"address": str(address), "office": any(address in each for each in RANGES)}
