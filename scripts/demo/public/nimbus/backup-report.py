"""Reads the sizes of nightly backups and reports one that shrank by half."""
import json
import logging


def handler(event, context):
    nights = json.loads(event["body"])["nights"]
    suspicious = []
    for before, after in zip(nights, nights[1:]):
        if after["bytes"] < before["bytes"] / 2:
            logging.warning("backup of %s shrank from %d to %d bytes", after["date"], before["bytes"], after["bytes"])
            suspicious.append(after["date"])
    return {"nights": len(nights), "suspicious": suspicious}
