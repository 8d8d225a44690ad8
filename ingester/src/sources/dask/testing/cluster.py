"""A Dask cluster for a test: reads commands as lines of JSON, answers each with one."""

import asyncio
import json
import os
import sys

from distributed import Client, Scheduler, Worker


def inc(number):
    return number + 1


def fail(number):
    raise ValueError(f"no {number}")


def plain(value):
    """As JSON has it: what the plugin says of a value, said otherwise."""
    return json.loads(json.dumps(value, default=str).replace("NaN", "null"))


async def story(client, keys):
    rows = await client.story(*keys)
    return sorted(
        (
            [str(key), start, finish, {str(name): state for name, state in told.items()}, stimulus, when]
            for teller, key, start, finish, told, stimulus, when in (row for row in rows if row[0] == "scheduler")
        ),
        key=lambda row: row[5],
    )


async def compute(client, prefix, count):
    futures = client.map(inc, range(count), pure=False, key=prefix)
    total = client.submit(sum, futures, key=f"{prefix}-sum (é), 'a=b'")
    failing = client.submit(fail, count, key=f"{prefix}-fail")
    await total
    await failing.exception()
    keys = [total.key, failing.key, *(future.key for future in futures)]
    return {"keys": keys, "story": await story(client, keys)}


async def answer(client, scheduler, command):
    if command["do"] == "compute":
        return await compute(client, command["prefix"], command["count"])
    if command["do"] == "log":
        for topic, message in command["events"]:
            await client.log_event(topic, message)
        return {}
    if command["do"] == "topics":
        events = await client.get_events()
        return {topic: [[when, plain(message)] for when, message in told] for topic, told in events.items()}
    if command["do"] == "flood":
        for number in range(command["count"]):
            scheduler.log_event("flood", {"number": number, "text": "x" * command["bytes"]})
            await asyncio.sleep(0)
        return {}
    if command["do"] == "leave":
        await client.retire_workers(workers=[next(iter(scheduler.workers))])
        return {}
    raise ValueError(command)


async def main():
    plugin = os.environ["PLUGIN"]
    way = sys.argv[1]
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    preload = [plugin] if way == "preload" else []
    async with Scheduler(host="127.0.0.1", port=0, dashboard_address=None, dashboard=False, preload=preload) as scheduler:
        async with Worker(scheduler.address, name="one (1)", nthreads=2), Worker(scheduler.address, name="two", nthreads=2):
            async with Client(scheduler.address, asynchronous=True) as client:
                if way == "register":
                    # As from a client whose scheduler does not have the file.
                    sys.path.insert(0, os.path.dirname(plugin))
                    import joblens_dask

                    registered = joblens_dask.JoblensPlugin()
                    del sys.modules["joblens_dask"]
                    sys.path.pop(0)
                    await client.register_plugin(registered)
                print(json.dumps({"pid": os.getpid()}), flush=True)
                while line := await reader.readline():
                    print(json.dumps(await answer(client, scheduler, json.loads(line))), flush=True)


asyncio.run(main())
