"""Checks that a refund is not larger than its charge."""
import json


def handler(event, context):
    charge = json.loads(event["body"])["data"]["data"]["object"]
    refunded, amount = charge["amount_refunded"], charge["amount"]
    print(f"{charge['id']}: {refunded} of {amount} {charge['currency']}")
    if refunded > amount:
        raise ValueError(f"{charge['id']} refunds more than it charged")
    return {"charge": charge["id"], "left": amount - refunded}
