"""Asks the registry for the newest versions of packages and returns those that are behind."""
import asyncio
import json

from pyodide.http import pyfetch


async def newest(name):
    answer = await pyfetch(f"https://registry.npmjs.org/{name}/latest")
    return name, (await answer.json())["version"]


async def handler(event, context):
    wanted = json.loads(event["body"])["dependencies"]
    found = dict(await asyncio.gather(*(newest(name) for name in wanted)))
    return {name: {"used": used, "newest": found[name]} for name, used in wanted.items() if found[name] != used}
