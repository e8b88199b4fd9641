"""Connections to one endpoint, kept in several small pools.

A pool looks through all of its connections for each request and each reply, which with 64 in
flight costs more than the request itself; pools of eight look through eight.
"""

from __future__ import annotations

import math

import httpx2

POOL_SIZE = 8


class PooledTransport(httpx2.AsyncBaseTransport):
    """Sends each request through the pool that is waiting for the fewest replies."""

    def __init__(self, *, concurrency: int) -> None:
        # No pool is limited: how many requests are in flight is decided before they come here.
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=concurrency)
        count = max(1, math.ceil(concurrency / POOL_SIZE))
        self._pools = [httpx2.AsyncHTTPTransport(limits=limits) for _ in range(count)]
        self._waiting = [0] * count

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        pool = self._waiting.index(min(self._waiting))
        self._waiting[pool] += 1
        try:
            return await self._pools[pool].handle_async_request(request)
        finally:
            self._waiting[pool] -= 1

    async def aclose(self) -> None:
        for pool in self._pools:
            await pool.aclose()
