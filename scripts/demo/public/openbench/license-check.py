"""Reads a package-lock.json and lists packages whose licence is not allowed."""
import json

ALLOWED = {"MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD"}


def handler(event, context):
    lock = json.loads(event["body"])
    refused = []
    for path, package in lock.get("packages", {}).items():
        licence = package.get("license")
        if path and licence not in ALLOWED:
            refused.append({"package": path.split("node_modules/")[-1], "license": licence})
    return {"checked": len(lock.get("packages", {})) - 1, "refused": refused}
