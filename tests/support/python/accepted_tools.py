"""Says which tools the published types and validators of model interfaces do not accept.

Reads `{PROVIDER: [tool, …], …}` from standard input and prints the same with a list of refusals, as
JSON. Nothing is sent anywhere.
"""

import json
import sys

import anthropic.types
import botocore.session
import botocore.validate
import google.genai.types
import openai.types.chat
import openai.types.responses
from pydantic import TypeAdapter, ValidationError


def typed(form):
    """Checks against a type that ignores unknown members, and then for unknown members."""
    adapter = TypeAdapter(form)

    def check(tool):
        adapter.validate_python(tool)
        unknown = set(tool) - set(form.__annotations__)
        if unknown:
            raise ValueError(f"unknown members {sorted(unknown)}")

    return check


def of_bedrock():
    session = botocore.session.Session()
    service = session.get_service_model("bedrock-runtime")
    form = service.shape_for("Tool")

    def check(tool):
        report = botocore.validate.ParamValidator().validate(tool, form)
        if report.has_errors():
            raise ValueError(report.generate_report())

    return check


CHECKS = {
    "anthropicMessages": typed(anthropic.types.ToolParam),
    "openaiResponses": typed(openai.types.responses.FunctionToolParam),
    "openaiChat": typed(openai.types.chat.ChatCompletionToolParam),
    "gemini": google.genai.types.FunctionDeclaration.model_validate,
    "bedrockConverse": of_bedrock(),
}


def refusal(check, tool):
    try:
        check(tool)
    except (ValidationError, ValueError) as error:
        return f"{tool}: {error}"
    return None


def main():
    told = {}
    for provider, tools in json.load(sys.stdin).items():
        refusals = [refusal(CHECKS[provider], tool) for tool in tools]
        told[provider] = [text for text in refusals if text is not None]
    json.dump(told, sys.stdout)


main()
