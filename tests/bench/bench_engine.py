"""Asking a loopback peer that answers after a fixed time: how near to the ideal it comes."""

from __future__ import annotations

import asyncio
import json
import math
import os
import subprocess
import sys
import time

from tests.bench.database import fresh_database
from tests.bench.table import Row

TRIALS = 1000
IN_FLIGHT = 64
REPLY = "\n".join(f"{n}. 3" for n in range(1, 21))
AIMS = {1.0: 0.95, 0.2: 0.5}


async def serve(delay_s: float) -> None:
    """A peer in a process of its own: reads a request, waits, answers; prints its port."""
    message = {"role": "assistant", "content": REPLY}
    body = json.dumps(
        {
            "id": "c", "object": "chat.completion", "created": 1, "model": "peer",
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
    ).encode()  # fmt: skip
    head = (
        f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    answer = head.encode() + body

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                request = await reader.readuntil(b"\r\n\r\n")
                length = request.lower().partition(b"content-length:")[2].split(b"\r\n")[0]
                await reader.readexactly(int(length or 0))
                await asyncio.sleep(delay_s)
                writer.write(answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def measure() -> list[Row]:
    rows = []
    with fresh_database():
        from benchmark.services.prompt_templates import load_prompt_templates
        from surveys.services.catalogue import load_catalogue

        load_catalogue()
        load_prompt_templates()
        for delay_s, aim in AIMS.items():
            rows += _measure(delay_s, aim)
    return rows


def _measure(delay_s: float, aim: float) -> list[Row]:
    from benchmark.services.execution import execute_run
    from benchmark.services.language_models import register_language_model
    from benchmark.services.planning import plan_run
    from surveys.models import InstrumentVersion

    command = [sys.executable, "-m", "tests.bench.bench_engine", str(delay_s)]
    peer = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ.copy())
    try:
        assert peer.stdout is not None
        port = int(peer.stdout.readline())
        model = register_language_model(name="peer", base_url=f"http://127.0.0.1:{port}/v1")
        run = plan_run(
            language_model=model,
            instrument=InstrumentVersion.objects.get(key="PANAS"),
            default_repeats=TRIALS,
            repeats=0,
            seed=1,
            concurrency=IN_FLIGHT,
        )
        begin, cpu = time.perf_counter(), time.process_time()
        execute_run(run)
        took, cpu_s = time.perf_counter() - begin, time.process_time() - cpu
        if run.state != "finished":
            raise RuntimeError(f"the run is {run.state}: {run.state_reason}")
    finally:
        peer.kill()
        peer.wait()
    ideal = math.ceil(TRIALS / IN_FLIGHT) * delay_s
    name = f"{TRIALS:,} trials, {IN_FLIGHT} in flight, answers after {delay_s:g} s"
    return [
        Row(name, f"{took:.1f} s, ideal {ideal:.1f} s"),
        Row("  ideal over measured", f"{ideal / took:.2f}", f"at least {aim}"),
        Row("  CPU a trial", f"{cpu_s / TRIALS * 1000:.1f} ms"),
    ]


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1])))
