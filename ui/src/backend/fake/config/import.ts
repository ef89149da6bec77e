import type { Bundle, Candidate, Draft, ImportSource } from '../../bindings';
import { candidate as candidateOf, WEATHER_INPUTS } from './registry';
import { draftOfEntry, readText } from './text';

/** Enough of an understanding of what was pasted to try the dialog. */
export function importCandidates(source: ImportSource): Candidate[] {
  switch (source.kind) {
    case 'url': {
      const name = new URL(source.url).hostname.split('.').at(-2) ?? 'server';
      return [candidate('an address', draftOfEntry(name, { url: source.url }))];
    }
    case 'npm':
      return [ofPackage('an npm package', ['npx', '-y', source.package])];
    case 'pypi':
      return [ofPackage('a PyPI package', ['uvx', source.package])];
    case 'bundle':
      return sampleBundle(source.path).candidates;
    case 'text':
      return ofText(source.text.trim());
  }
}

function ofText(text: string): Candidate[] {
  if (/^\{\s*"(\$schema|name)"/.test(text)) return ofServerJson(text);
  if (text.startsWith('{')) {
    return readText(text).servers.flatMap(({ draft }) =>
      draft ? [candidate('a snippet in the form of .mcp.json', draft)] : [],
    );
  }
  const [, name, command, rest = ''] = /^claude mcp add (\S+) -- (\S+) ?(.*)$/.exec(text) ?? [];
  if (name === undefined || command === undefined) {
    throw {
      code: 'invalid_input',
      message: 'This is nothing that servers can be read from.',
      hint: null,
    };
  }
  const args = rest.split(' ').filter(Boolean);
  return [candidate('a command line of claude', draftOfEntry(name, { command, args }))];
}

/** Enough of a `server.json` to try its form. */
function ofServerJson(text: string): Candidate[] {
  const file = JSON.parse(text) as {
    name: string;
    packages?: { identifier: string }[];
    remotes?: { url: string }[];
  };
  const name = file.name.split('/').at(-1) ?? file.name;
  return [
    ...(file.packages ?? []).map(({ identifier }) =>
      candidateOf(
        `the npm package ${identifier}`,
        name,
        {
          command: 'npx',
          args: ['-y', identifier],
          env: { WEATHER_API_KEY: '${WEATHER_API_KEY}', UNITS: '${UNITS}' },
        },
        WEATHER_INPUTS,
      ),
    ),
    ...(file.remotes ?? []).map(({ url }) => candidateOf('a remote server', name, { url })),
  ];
}

/** A bundle that a person might choose. */
export function sampleBundle(path: string): Bundle {
  const manifest = {
    manifest_version: '0.3',
    name: 'weather',
    display_name: 'Weather',
    version: '2.0.1',
    description: 'Forecasts and warnings for any place.',
    author: { name: 'Acme' },
    server: {
      type: 'node',
      entry_point: 'server/index.js',
      mcp_config: { command: 'node', args: ['${__dirname}/server/index.js'] },
    },
    tools: [{ name: 'forecast' }, { name: 'warnings' }],
  };
  return {
    path,
    name: 'weather',
    title: 'Weather',
    version: '2.0.1',
    description: manifest.description,
    author: 'Acme',
    homepage: 'https://weather.example.com',
    tools: ['forecast', 'warnings'],
    prompts: [],
    platforms: ['linux', 'darwin', 'win32'],
    manifest: JSON.stringify(manifest, null, 2),
    candidates: [
      candidateOf(
        'the bundle weather 2.0.1',
        'weather',
        { command: 'node', args: ['${BUNDLE_DIRECTORY}/server/index.js'] },
        [
          {
            name: 'BUNDLE_DIRECTORY',
            title: 'Folder of the bundle',
            description: 'Where the bundle was unpacked. An .mcpb file is a ZIP archive.',
            required: true,
            secret: false,
            default: null,
            choices: [],
          },
        ],
      ),
    ],
  };
}

function ofPackage(origin: string, [command = '', ...args]: string[]): Candidate {
  const name =
    (args.at(-1) ?? '')
      .split('/')
      .at(-1)
      ?.replace(/^(mcp-)?server-/, '') ?? '';
  return candidate(origin, draftOfEntry(name, { command, args }));
}

function candidate(origin: string, draft: Draft): Candidate {
  return { draft, origin, inputs: [], notes: [], left_out: [] };
}
