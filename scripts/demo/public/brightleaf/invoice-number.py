"""Checks a reference number of an invoice with the modulo 97 test (ISO 11649)."""


def valid(reference):
    text = reference.replace(" ", "").upper()
    if not (text.startswith("RF") and 5 <= len(text) <= 25 and text.isalnum()):
        return False
    moved = text[4:] + text[:4]
    return int("".join(str(int(letter, 36)) for letter in moved)) % 97 == 1


def handler(event, context):
    reference = event["queryStringParameters"].get("reference", "")
    return {"reference": reference, "valid": valid(reference)}
