"""A server on FastMCP over stdio whose skills are the folders of a directory."""

import sys

from fastmcp import FastMCP
from fastmcp.skills.provider import SkillsDirectoryProvider

server = FastMCP("skills")
server.add_provider(SkillsDirectoryProvider(sys.argv[1]))
server.run(show_banner=False)
