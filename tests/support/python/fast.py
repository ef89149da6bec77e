"""A server on FastMCP: over stdio, or over Streamable HTTP on the port that is given."""

import sys

from fastmcp import FastMCP

server = FastMCP("fast")


@server.tool
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.resource("note://today")
def today() -> str:
    """A note."""
    return "buy milk"


@server.prompt
def greet(name: str) -> str:
    """Greets."""
    return f"Say hello to {name}"


if len(sys.argv) > 1:
    server.run(transport="http", host="127.0.0.1", port=int(sys.argv[1]), show_banner=False)
else:
    server.run(show_banner=False)
