"""A browser without scripts, as small as a load generator needs: requests, cookies, redirects."""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlencode, urljoin, urlsplit

MAX_REDIRECTS = 10
TIMEOUT_S = 60.0
# A request may find that the server has just closed the idle connection; browsers try once more.
_STALE = (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError)
_REDIRECTS = {301, 302, 303}
# These keep the method, so that only what was read is followed without asking.
_REDIRECTS_OF_GET = {307, 308}


class BrowserError(Exception):
    """The server did not answer, or sent the browser in circles; the message says which."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer. `seconds` runs until the whole body has arrived."""

    method: str
    address: str
    status: int
    seconds: float
    body: bytes
    headers: http.client.HTTPMessage


@dataclass
class Browser:
    """One person's browser at one site. `observe` is told of every exchange."""

    base_url: str
    observe: Callable[[Exchange], None] = lambda exchange: None
    cookies: dict[str, str] = field(default_factory=dict)
    _connection: http.client.HTTPConnection | None = None

    def open(self, address: str) -> Exchange:
        """GET an address, relative or not, and follow where it leads."""
        return self._follow(self._exchange("GET", urljoin(self.base_url, address), None))

    def submit(self, address: str, fields: list[tuple[str, str]]) -> Exchange:
        """POST a form and follow where that leads."""
        return self._follow(self._exchange("POST", urljoin(self.base_url, address), fields))

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _follow(self, exchange: Exchange) -> Exchange:
        for _ in range(MAX_REDIRECTS):
            location = exchange.headers.get("Location")
            followed = _REDIRECTS | (_REDIRECTS_OF_GET if exchange.method == "GET" else set())
            if exchange.status not in followed or not location:
                return exchange
            exchange = self._exchange("GET", urljoin(exchange.address, location), None)
        raise BrowserError(f"more than {MAX_REDIRECTS} redirects, the last to {exchange.address}")

    def _exchange(
        self, method: str, address: str, fields: list[tuple[str, str]] | None
    ) -> Exchange:
        parts = urlsplit(address)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        headers = {}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        body = None
        if fields is not None:
            body = urlencode(fields).encode()
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        begin = time.perf_counter()
        try:
            response, content = self._send(method, target, body, headers)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise BrowserError(f"{method} {target}: {type(error).__name__}: {error}") from error
        seconds = time.perf_counter() - begin
        self._keep_cookies(response.headers)
        exchange = Exchange(method, address, response.status, seconds, content, response.headers)
        self.observe(exchange)
        return exchange

    def _send(
        self, method: str, target: str, body: bytes | None, headers: dict[str, str]
    ) -> tuple[http.client.HTTPResponse, bytes]:
        is_reused = self._connection is not None
        try:
            return self._send_once(method, target, body, headers)
        except _STALE:
            self.close()
            if not is_reused:
                raise
            return self._send_once(method, target, body, headers)

    def _send_once(
        self, method: str, target: str, body: bytes | None, headers: dict[str, str]
    ) -> tuple[http.client.HTTPResponse, bytes]:
        if self._connection is None:
            self._connection = _connect(self.base_url)
        self._connection.request(method, target, body, headers)
        response = self._connection.getresponse()
        return response, response.read()

    def _keep_cookies(self, headers: http.client.HTTPMessage) -> None:
        for line in headers.get_all("Set-Cookie") or ():
            try:
                jar = SimpleCookie(line)
            except CookieError:
                continue  # Browsers ignore a cookie that they cannot read.
            for name, morsel in jar.items():
                if morsel["max-age"] == "0":
                    self.cookies.pop(name, None)
                else:
                    self.cookies[name] = morsel.coded_value


def _connect(base_url: str) -> http.client.HTTPConnection:
    parts = urlsplit(base_url)
    if not parts.hostname or parts.scheme not in {"http", "https"}:
        raise BrowserError(f"{base_url!r} is no address of a site: use http://host:port")
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    return kind(parts.hostname, parts.port, timeout=TIMEOUT_S)
