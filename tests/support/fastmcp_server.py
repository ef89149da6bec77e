"""A FastMCP server behind FastMCP's own OAuth server, on the port and transport it is given."""

import sys

from fastmcp import FastMCP
from fastmcp.server.auth.auth import ClientRegistrationOptions, RevocationOptions
from fastmcp.server.auth.providers.in_memory import InMemoryOAuthProvider

port = int(sys.argv[1])
server = FastMCP(
    "guarded",
    auth=InMemoryOAuthProvider(
        base_url=f"http://127.0.0.1:{port}",
        client_registration_options=ClientRegistrationOptions(enabled=True),
        revocation_options=RevocationOptions(enabled=True),
    ),
)


@server.tool
def greet(name: str) -> str:
    """Greets."""
    return f"Hello {name}"


server.run(transport=sys.argv[2], host="127.0.0.1", port=port, show_banner=False)
