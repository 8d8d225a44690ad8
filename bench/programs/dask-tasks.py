"""Prints as JSON what a Dask scheduler takes for so many tasks, with a plugin (a path) or without one (-)."""

import asyncio
import json
import sys
import time

from distributed import Client, Scheduler, Worker

ROLE, COUNT, PLUGIN = sys.argv[1], int(sys.argv[2]), sys.argv[3]
WARM_UP = 1000


def inc(number):
    return number + 1


async def work(address):
    """Two threads, and the client that waits for them, in a process beside the scheduler's."""
    async with Worker(address, nthreads=2, dashboard=False), Client(address, asynchronous=True) as client:
        for count in (WARM_UP, COUNT):
            print("begin", flush=True)
            await client.gather(client.map(inc, range(count), pure=False))
            print("end", flush=True)


async def schedule():
    preload = [] if PLUGIN == "-" else [PLUGIN]
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False, preload=preload) as scheduler:
        worker = await asyncio.create_subprocess_exec(
            sys.executable, __file__, scheduler.address, str(COUNT), "-", stdout=asyncio.subprocess.PIPE
        )
        while line := await worker.stdout.readline():
            if line == b"begin\n":
                wall_s, cpu_s = time.perf_counter(), time.process_time()
            else:
                wall_s, cpu_s = time.perf_counter() - wall_s, time.process_time() - cpu_s
        await worker.wait()
    print(json.dumps({"wallMs": wall_s * 1000, "cpuMs": cpu_s * 1000}))


asyncio.run(schedule() if ROLE == "scheduler" else work(ROLE))
