import type { Candidate, Draft, ImportSource } from '../../bindings';
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
      return [];
    case 'text':
      return ofText(source.text.trim());
  }
}

function ofText(text: string): Candidate[] {
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

function ofPackage(origin: string, [command = '', ...args]: string[]): Candidate {
  const name =
    (args.at(-1) ?? '')
      .split('/')
      .at(-1)
      ?.replace(/^(mcp-)?server-/, '') ?? '';
  return candidate(origin, draftOfEntry(name, { command, args }));
}

function candidate(origin: string, draft: Draft): Candidate {
  return { draft, origin, inputs: [], notes: [] };
}
