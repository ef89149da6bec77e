"""A server of the Python SDK over WebSocket, on the port that is given.

What crosses the socket is taken down where the web server hands it over, in the files `sent`
and `received` (by the client) of the directory that is given.
"""

import sys
from pathlib import Path

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.websocket import websocket_server
from mcp.types import TextContent, Tool

directory = Path(sys.argv[2])
server = Server("socket")


@server.list_tools()
async def list_tools() -> list[Tool]:
    return [Tool(name="echo", inputSchema={"type": "object"})]


@server.call_tool()
async def call_tool(name: str, arguments: dict) -> list[TextContent]:
    return [TextContent(type="text", text=f"heard {arguments['message']}")]


def note(name: str, text: str | None) -> None:
    if text is not None:
        with (directory / name).open("a") as file:
            file.write(text + "\n")


async def application(scope, receive, send):
    if scope["type"] != "websocket":
        return

    async def noted_receive():
        event = await receive()
        note("sent", event.get("text"))
        return event

    async def noted_send(event):
        note("received", event.get("text"))
        await send(event)

    async with websocket_server(scope, noted_receive, noted_send) as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


uvicorn.run(application, host="127.0.0.1", port=int(sys.argv[1]), log_level="info", lifespan="off")
