import type { ListKind } from '../bindings';
import type { FakeItem } from './world';

export type FakeLists = Partial<Record<ListKind, FakeItem[]>>;

interface Tool {
  name: string;
  title?: string;
  description: string;
  inputSchema: unknown;
  outputSchema?: unknown;
  annotations?: Record<string, unknown>;
}

const text = (title: string, more: Record<string, unknown> = {}) => ({
  type: 'string',
  title,
  ...more,
});
const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
});

const readOnly = { readOnlyHint: true, idempotentHint: true };

const FILE_TOOLS: Tool[] = [
  {
    name: 'read_text_file',
    description: 'Read a file as text. Fails when the file is not valid UTF-8.',
    inputSchema: object({ path: text('Path'), head: { type: 'integer', minimum: 1 } }, ['path']),
    annotations: readOnly,
  },
  {
    name: 'read_media_file',
    description: 'Read an image or audio file and return it as base64.',
    inputSchema: object({ path: text('Path') }, ['path']),
    annotations: readOnly,
  },
  {
    name: 'search_files',
    description:
      'Recursively search for files and directories matching a pattern, in any allowed directory.',
    inputSchema: object(
      {
        path: text('Path'),
        pattern: text('Pattern'),
        excludePatterns: { type: 'array', title: 'Exclude patterns', items: { type: 'string' } },
      },
      ['path', 'pattern'],
    ),
    outputSchema: object(
      { matches: { type: 'array', items: { type: 'string' } }, total: { type: 'integer' } },
      ['matches', 'total'],
    ),
    annotations: readOnly,
  },
  {
    name: 'write_file',
    description: 'Create or overwrite a file with the given text.',
    inputSchema: object({ path: text('Path'), content: text('Content') }, ['path', 'content']),
    annotations: { destructiveHint: true, idempotentHint: true },
  },
  {
    name: 'edit_file',
    description: 'Line-based edits of a text file; returns a diff of what changed.',
    inputSchema: object(
      {
        path: text('Path'),
        edits: {
          type: 'array',
          title: 'Edits',
          items: object({ oldText: text('Old text'), newText: text('New text') }, [
            'oldText',
            'newText',
          ]),
        },
        dryRun: { type: 'boolean', title: 'Dry run', default: false },
      },
      ['path', 'edits'],
    ),
    annotations: { destructiveHint: true },
  },
  ...[
    ['create_directory', 'Create a directory, and those above it where they are missing.'],
    ['list_directory', 'List files and folders of a directory.'],
    ['list_directory_with_sizes', 'List files and folders together with their sizes.'],
    ['directory_tree', 'A recursive tree of a directory as JSON.'],
    ['move_file', 'Move or rename a file or a directory.'],
    ['get_file_info', 'Metadata of a file: size, times, permissions.'],
    ['list_allowed_directories', 'The directories that this server may touch.'],
    ['read_multiple_files', 'Read several files at once.'],
    ['watch_directory', 'Report changes of a directory as they happen.'],
  ].map(([name, description]) => ({
    name: name ?? '',
    description: description ?? '',
    inputSchema: object({ path: text('Path') }, ['path']),
  })),
];

const DEMO_TOOLS: Tool[] = [
  {
    name: 'echo',
    title: 'Echo',
    description: 'Returns its message.',
    inputSchema: object({ message: text('Message', { default: 'Hello' }) }, ['message']),
    annotations: readOnly,
  },
  {
    name: 'every_schema',
    title: 'Every kind of schema',
    description: 'Takes every kind of value that a JSON Schema can describe, and returns them.',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      required: ['name', 'level'],
      properties: {
        name: text('Name', { minLength: 1, maxLength: 40 }),
        email: text('Email', { format: 'email' }),
        level: {
          title: 'Level',
          oneOf: [
            { const: 'low', title: 'Low' },
            { const: 'high', title: 'High' },
          ],
        },
        colours: {
          type: 'array',
          title: 'Colours',
          uniqueItems: true,
          items: { type: 'string', enum: ['red', 'green', 'blue'] },
        },
        big: { type: 'integer', title: 'Big number', default: Number.MAX_SAFE_INTEGER },
        ratio: { type: 'number', title: 'Ratio', minimum: 0, maximum: 1 },
        confirmed: { type: 'boolean', title: 'Confirmed', default: false },
        note: { type: ['string', 'null'], title: 'Note' },
        address: { $ref: '#/$defs/address' },
        contact: {
          title: 'Contact',
          anyOf: [
            { title: 'By phone', ...object({ phone: text('Phone') }, ['phone']) },
            { title: 'By post', $ref: '#/$defs/address' },
          ],
        },
      },
      $defs: {
        address: {
          title: 'Address',
          ...object({ street: text('Street'), city: text('City') }, ['city']),
        },
      },
    },
  },
  {
    name: 'add_numbers',
    description: 'Adds two numbers, as structured content.',
    inputSchema: object({ a: { type: 'number' }, b: { type: 'number' } }, ['a', 'b']),
    outputSchema: object({ sum: { type: 'number' } }, ['sum']),
    annotations: readOnly,
  },
  {
    name: 'slow_count',
    description: 'Counts to ten with progress, one step each 300 ms. Can be cancelled.',
    inputSchema: object({ steps: { type: 'integer', default: 10, minimum: 1 } }),
  },
  {
    name: 'show_image',
    description: 'Returns a picture, a text and a link.',
    inputSchema: object({}),
  },
  {
    name: 'big_result',
    description: 'Returns a result of the size given.',
    inputSchema: object({ mebibytes: { type: 'integer', default: 1, minimum: 1, maximum: 50 } }),
  },
  { name: 'fail', description: 'Returns a result with isError.', inputSchema: object({}) },
  { name: 'refuse', description: 'Answers with a JSON-RPC error.', inputSchema: object({}) },
  {
    name: 'ask_person',
    description: 'Asks the person something while it runs.',
    inputSchema: object({}),
  },
];

function toolItem(tool: Tool): FakeItem {
  // A number past 2^53, which no number of JavaScript can hold, as a server may well send it.
  const json = JSON.stringify(tool).replace('9007199254740991', '9007199254740993');
  return { name: tool.name, title: tool.title, description: tool.description, json };
}

function resource(uri: string, name: string, mimeType: string, description?: string): FakeItem {
  return {
    name: uri,
    title: name,
    description,
    json: JSON.stringify({ uri, name, mimeType, description }),
  };
}

function template(uriTemplate: string, name: string, description: string): FakeItem {
  return {
    name: uriTemplate,
    title: name,
    description,
    json: JSON.stringify({ uriTemplate, name, description }),
  };
}

interface PromptArgument {
  name: string;
  description?: string;
  required?: boolean;
}

function prompt(name: string, description: string, args: PromptArgument[]): FakeItem {
  return { name, description, json: JSON.stringify({ name, description, arguments: args }) };
}

export function fileServerLists(): FakeLists {
  return {
    tools: FILE_TOOLS.map(toolItem),
    resources: [
      resource('file:///srv/acme-web/README.md', 'README.md', 'text/markdown', 'What it is'),
      resource('file:///srv/acme-web/package.json', 'package.json', 'application/json'),
      resource('file:///srv/acme-web/public/logo.png', 'logo.png', 'image/png'),
    ],
    prompts: [],
  };
}

export function demoLists(): FakeLists {
  return {
    tools: DEMO_TOOLS.map(toolItem),
    resources: [
      resource('demo://notes/welcome', 'Welcome', 'text/markdown', 'A first thing to read'),
      resource('demo://data/table.json', 'Table', 'application/json', 'Rows of numbers'),
      resource('demo://media/pixel.png', 'Pixel', 'image/png', 'One pixel'),
      resource('demo://clock', 'Clock', 'text/plain', 'Changes each second; subscribe to it'),
      resource('demo://data/bytes', 'Bytes', 'application/octet-stream', 'Binary data'),
    ],
    resource_templates: [
      template('demo://notes/{name}', 'Note', 'A note by its name'),
      template('demo://grid/{column}/{row}', 'Cell', 'One cell of a grid'),
    ],
    prompts: [
      prompt('review_code', 'Asks for a review of some code.', [
        { name: 'language', description: 'The programming language', required: true },
        { name: 'code', description: 'The code', required: true },
        { name: 'focus', description: 'What to look at' },
      ]),
      prompt('greet', 'A greeting without arguments.', []),
    ],
  };
}

export function memoryLists(): FakeLists {
  return {
    tools: [
      'create_entities',
      'create_relations',
      'read_graph',
      'search_nodes',
      'delete_entities',
    ].map((name) =>
      toolItem({
        name,
        description: `Works on the graph: ${name.replaceAll('_', ' ')}.`,
        inputSchema: object({ query: text('Query') }),
      }),
    ),
    resources: [resource('memory://graph', 'Graph', 'application/json', 'The whole graph')],
  };
}
