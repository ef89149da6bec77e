import type { Draft, NamedText } from '@/backend/bindings';

/** A variable or an argument that `server.json` describes. */
interface Input {
  type?: string;
  name?: string;
  value?: string;
  default?: string;
  description?: string;
  isRequired?: boolean;
  isSecret?: boolean;
}

interface Package {
  registryType?: string;
  registry_name?: string;
  identifier?: string;
  name?: string;
  version?: string;
  runtimeHint?: string;
  runtimeArguments?: Input[];
  packageArguments?: Input[];
  environmentVariables?: Input[];
}

interface Remote {
  type?: string;
  transport_type?: string;
  url?: string;
  headers?: Input[];
}

interface ServerJson {
  name?: string;
  packages?: Package[];
  remotes?: Remote[];
}

/** A way to run a server, and what a person still has to fill in. */
export interface Described {
  draft: Draft;
  notes: string[];
}

/** The programs that start a package, by where it comes from. */
const RUNNERS: Record<string, (name: string, version: string | undefined) => string[]> = {
  npm: (name, version) => ['npx', '-y', version ? `${name}@${version}` : name],
  pypi: (name, version) => ['uvx', version ? `${name}@${version}` : name],
  oci: (name, version) => ['docker', 'run', '-i', '--rm', version ? `${name}:${version}` : name],
  nuget: (name, version) => ['dnx', version ? `${name}@${version}` : name, '--yes'],
};

/**
 * Reads a `server.json` of the MCP registry (its schema of 2025-07 and later): each package and
 * each remote is a way to run the server. Nothing for other JSON.
 */
export function readServerJson(text: string): Described[] | null {
  let file: ServerJson;
  try {
    file = JSON.parse(text) as ServerJson;
  } catch {
    return null;
  }
  if (!Array.isArray(file.packages) && !Array.isArray(file.remotes)) return null;
  const name =
    file.name
      ?.split('/')
      .at(-1)
      ?.replace(/^(mcp-)?server-|-mcp(-server)?$/g, '') ?? '';
  return [
    ...(file.packages ?? []).flatMap((one) => ofPackage(name, one) ?? []),
    ...(file.remotes ?? []).flatMap((one) => ofRemote(name, one) ?? []),
  ];
}

function ofPackage(name: string, one: Package): Described | null {
  const registry = one.registryType ?? one.registry_name ?? '';
  const identifier = one.identifier ?? one.name;
  const runner = RUNNERS[registry];
  if (!runner || identifier === undefined) return null;
  const [command = '', ...before] = runner(identifier, one.version);
  const variables = one.environmentVariables ?? [];
  return {
    draft: {
      name,
      endpoint: {
        kind: 'stdio',
        command,
        arguments: [
          ...(one.runtimeArguments ?? []).flatMap(wordsOf),
          ...before,
          ...(one.packageArguments ?? []).flatMap(wordsOf),
        ],
        environment: namedOf(variables),
        working_directory: null,
      },
    },
    notes: notesOf(variables),
  };
}

function ofRemote(name: string, one: Remote): Described | null {
  if (one.url === undefined) return null;
  const isSse = (one.type ?? one.transport_type) === 'sse';
  const headers = one.headers ?? [];
  return {
    draft: {
      name,
      endpoint: {
        kind: 'remote',
        transport: isSse ? 'sse' : 'auto',
        url: one.url,
        headers: namedOf(headers),
      },
    },
    notes: notesOf(headers),
  };
}

function wordsOf({ type, name, value, default: fallback }: Input): string[] {
  const text = value ?? fallback;
  if (type === 'named' && name) return text === undefined ? [name] : [name, text];
  return text === undefined ? [] : [text];
}

/** What is needed, with its value or as a variable of the same name. */
function namedOf(inputs: readonly Input[]): NamedText[] {
  return inputs
    .filter(
      ({ name, isRequired, value, default: fallback }) =>
        name !== undefined && (isRequired || value !== undefined || fallback !== undefined),
    )
    .map(({ name = '', value, default: fallback, isSecret }) => ({
      name,
      text: value ?? fallback ?? (isSecret ? `\${${variableOf(name)}}` : ''),
    }));
}

/** The variable of the environment that stands for a header or a variable. */
export function variableOf(name: string): string {
  return name.replace(/\W+/g, '_').toUpperCase();
}

function notesOf(inputs: readonly Input[]): string[] {
  return inputs
    .filter(({ isRequired }) => isRequired)
    .map(({ name, description }) => `${name} is required${description ? `: ${description}` : '.'}`);
}
