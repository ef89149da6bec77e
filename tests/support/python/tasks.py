"""A server on FastMCP over stdio whose tools are tasks (SEP-2663)."""

import asyncio

from fastmcp import Context, FastMCP
from fastmcp.utilities.tasks import TaskConfig
from fastmcp_tasks import TasksExtension
from mcp_types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult

server = FastMCP("tasks")
server.add_extension(TasksExtension())


@server.tool(task=TaskConfig(mode="required"))
async def add_slowly(a: int, b: int) -> int:
    await asyncio.sleep(0.5)
    return a + b


@server.tool(task=True)
async def fail(message: str) -> str:
    raise ValueError(message)


@server.tool(task=True)
async def greet(context: Context) -> str | InputRequiredResult:
    answers = context.input_responses
    if not answers:
        name = {"type": "object", "properties": {"name": {"type": "string"}}}
        params = ElicitRequestFormParams(message="Who is there?", requested_schema=name)
        return InputRequiredResult(input_requests={"name": ElicitRequest(params=params)})
    return f"Hello, {answers['name'].content['name']}"


server.run(show_banner=False)
