"""Connections whose packets are all lost without an end: a failover, or a firewall that forgets."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import psutil


class NoPartitionError(Exception):
    """Packets cannot be dropped here. The message says why."""


@contextmanager
def forgotten(port: int) -> Iterator[int]:
    """Lose all packets of the connections to a port of this machine that exist now. Yield their number.

    New connections work at once. Raises NoPartitionError unless root runs this, with iptables.
    """
    if os.geteuid() != 0 or shutil.which("iptables") is None:
        raise NoPartitionError("only root can drop packets, with iptables")
    clients = sorted(
        one.laddr.port
        for one in psutil.net_connections("tcp")
        if one.laddr and one.raddr and one.raddr.port == port and one.status == psutil.CONN_ESTABLISHED
    )
    ways = [way for client in clients for way in ((client, port), (port, client))]
    with ExitStack() as stack:
        for sender, receiver in ways:
            _drop("-I", sender, receiver)
            stack.callback(_drop, "-D", sender, receiver)
        yield len(clients)


def _drop(what: str, sender: int, receiver: int) -> None:
    ports = ("--sport", str(sender), "--dport", str(receiver))
    command = ["iptables", "-w", what, "OUTPUT", "-p", "tcp", *ports, "-j", "DROP"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoPartitionError(" ".join(done.stderr.split()))
