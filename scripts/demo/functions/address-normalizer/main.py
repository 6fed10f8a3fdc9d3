"""Brings postal addresses into one form."""
import json
import re


def handler(event, context):
    address = json.loads(event["body"])
    street = re.sub(r"\bstr(?:\.|asse|aße)?\b", "straße", address["street"].strip(), flags=re.IGNORECASE)
    return {"street": street, "zip": re.sub(r"\D", "", address["zip"]), "city": address["city"].strip().title()}
