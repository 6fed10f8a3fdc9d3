"""Asks the port authority for delays and keeps those above two hours."""
import json
import os
import urllib.request

URL = "https://api.ports.example.net/v1/arrivals?port="


def handler(event, context):
    port = event["queryStringParameters"]["port"]
    request = urllib.request.Request(URL + port, headers={"x-api-key": os.environ["PORT_API_KEY"]})
    with urllib.request.urlopen(request, timeout=10) as answer:
        arrivals = json.load(answer)["arrivals"]
    late = [ship for ship in arrivals if ship["delay_minutes"] > 120]
    return {"port": port, "late": sorted(late, key=lambda ship: -ship["delay_minutes"])}
