/** An argument of a prompt (MCP, PromptArgument). */
export interface PromptArgument {
  name: string;
  title: string | undefined;
  description: string | undefined;
  required: boolean;
}

interface PromptDefinition {
  title: string | undefined;
  description: string | undefined;
  arguments: PromptArgument[];
}

export function readPrompt(json: string): PromptDefinition {
  const prompt = members(parse(json));
  const list = Array.isArray(prompt.arguments) ? prompt.arguments : [];
  return {
    title: text(prompt.title),
    description: text(prompt.description),
    arguments: list.flatMap((raw: unknown) => {
      const argument = members(raw);
      const name = text(argument.name);
      if (name === undefined) return [];
      return [
        {
          name,
          title: text(argument.title),
          description: text(argument.description),
          required: argument.required === true,
        },
      ];
    }),
  };
}

/** Arguments that were handed over as a JSON object; what is no string is written as JSON. */
export function readArguments(json: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members(parse(json))).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function members(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
