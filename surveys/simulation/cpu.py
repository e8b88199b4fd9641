"""The CPU time of a server on this machine, from /proc; None where that does not tell."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

_PROC = Path("/proc")
_LISTENING = "0A"


def server_cpu_seconds(base_url: str) -> float | None:
    """User and system seconds so far of all processes that listen on the address's port."""
    parts = urlsplit(base_url)
    if parts.hostname not in {"127.0.0.1", "localhost", "::1"} or not _PROC.is_dir():
        return None
    port = parts.port or (443 if parts.scheme == "https" else 80)
    pids = _listening_pids(port) - {os.getpid()}
    return sum(map(cpu_seconds, pids)) if pids else None


def cpu_seconds(pid: int) -> float:
    """Of this process and of its children that have ended; 0 where it has ended itself."""
    try:
        fields = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _listening_pids(port: int) -> set[int]:
    inodes = set()
    for name in ("tcp", "tcp6"):
        try:
            lines = (_PROC / "net" / name).read_text().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            fields = line.split()
            if fields[3] == _LISTENING and int(fields[1].rpartition(":")[2], 16) == port:
                inodes.add(f"socket:[{fields[9]}]")
    return {int(entry.name) for entry in _PROC.iterdir() if _holds(entry, inodes)}


def _holds(process: Path, sockets: set[str]) -> bool:
    if not process.name.isdecimal():
        return False
    try:
        return any(os.readlink(fd) in sockets for fd in (process / "fd").iterdir())
    except OSError:  # Somebody else's process, or one that has just ended.
        return False
