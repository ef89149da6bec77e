import type { BlockBody, BlockView, PartView, ResultView } from '../bindings';

const LARGEST_INLINE = 256 * 1024;

/** A grey pixel as PNG. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC';

function part(pointer: string, text: string): PartView {
  return { pointer, size: text.length, text: text.length <= LARGEST_INLINE ? text : null };
}

/** Takes a result apart the way the host does. */
export function describeResult(result: unknown): ResultView {
  const whole = result as {
    isError?: boolean;
    content?: unknown[];
    contents?: unknown[];
    messages?: { role: string; content: unknown }[];
    description?: string;
    structuredContent?: unknown;
  };
  const blocks: BlockView[] = [
    ...(whole.content ?? []).map((block, index) => viewOf(block, `/result/content/${index}`, null)),
    ...(whole.contents ?? []).map((block, index) =>
      viewOf({ type: 'resource', resource: block }, `/result/contents/${index}`, null, ''),
    ),
    ...(whole.messages ?? []).map(({ role, content }, index) =>
      viewOf(content, `/result/messages/${index}/content`, role),
    ),
  ];
  const structured = whole.structuredContent;
  return {
    is_error: whole.isError ?? false,
    blocks,
    description: whole.description ?? null,
    structured:
      structured === undefined
        ? null
        : part('/result/structuredContent', JSON.stringify(structured)),
    schema_check:
      structured === undefined ? null : { valid: true, problems: [], not_checked: null },
    problems: [],
  };
}

interface Block {
  type: string;
  text?: string;
  data?: string;
  mimeType?: string;
  uri?: string;
  name?: string;
  title?: string;
  description?: string;
  resource?: { uri: string; mimeType?: string; text?: string; blob?: string };
}

function viewOf(
  raw: unknown,
  pointer: string,
  role: string | null,
  inside = '/resource',
): BlockView {
  const block = raw as Block;
  return { body: bodyOf(block, pointer, inside), role, annotations: null, pointer };
}

function bodyOf(block: Block, pointer: string, inside: string): BlockBody {
  const mime = block.mimeType ?? 'application/octet-stream';
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: part(`${pointer}/text`, block.text ?? '') };
    case 'image':
    case 'audio':
      return {
        kind: block.type,
        mime_type: mime,
        pointer: `${pointer}/data`,
        size: Math.floor(((block.data ?? '').length * 3) / 4),
      };
    case 'resource_link':
      return {
        kind: 'resource_link',
        uri: block.uri ?? '',
        name: block.name ?? '',
        title: block.title ?? null,
        description: block.description ?? null,
        mime_type: block.mimeType ?? null,
      };
    case 'resource': {
      const { uri = '', mimeType = null, text, blob = '' } = block.resource ?? { uri: '' };
      return text !== undefined
        ? {
            kind: 'text_resource',
            uri,
            mime_type: mimeType,
            text: part(`${pointer}${inside}/text`, text),
          }
        : {
            kind: 'binary_resource',
            uri,
            mime_type: mimeType,
            pointer: `${pointer}${inside}/blob`,
            size: Math.floor((blob.length * 3) / 4),
          };
    }
    default:
      return { kind: 'unknown', type_name: block.type, json: part(pointer, JSON.stringify(block)) };
  }
}

const MEBIBYTE = 1024 * 1024;

/** What the tool of this name returns. */
export function toolResult(tool: string, given: Record<string, unknown>): unknown {
  switch (tool) {
    case 'search_files': {
      const matches = [
        'src/app/store.test.ts',
        'src/lib/time.test.ts',
        'src/state/traffic.test.ts',
      ];
      return {
        content: [{ type: 'text', text: matches.join('\n') }],
        structuredContent: { matches, total: matches.length },
      };
    }
    case 'add_numbers': {
      const sum = Number(given.a ?? 0) + Number(given.b ?? 0);
      return { content: [{ type: 'text', text: String(sum) }], structuredContent: { sum } };
    }
    case 'show_image':
      return {
        content: [
          { type: 'text', text: 'A **picture**, and where it came from.' },
          { type: 'image', mimeType: 'image/png', data: PIXEL },
          {
            type: 'resource_link',
            uri: 'demo://media/pixel.png',
            name: 'pixel.png',
            mimeType: 'image/png',
          },
          {
            type: 'resource',
            resource: { uri: 'demo://notes/welcome', mimeType: 'text/markdown', text: '# Welcome' },
          },
        ],
      };
    case 'big_result': {
      const line = 'A line of a long text that goes on and on, sixty-four bytes long.\n';
      const size = Number(given.mebibytes ?? 1) * MEBIBYTE;
      return { content: [{ type: 'text', text: line.repeat(Math.ceil(size / line.length)) }] };
    }
    case 'fail':
      return {
        isError: true,
        content: [{ type: 'text', text: 'The disk is full: 0 bytes are left on /srv.' }],
      };
    default:
      return {
        content: [{ type: 'text', text: String(given.message ?? JSON.stringify(given)) }],
      };
  }
}

/** What a resource holds. */
export function resourceResult(uri: string): unknown {
  if (uri.endsWith('.png')) return { contents: [{ uri, mimeType: 'image/png', blob: PIXEL }] };
  if (uri.endsWith('.json') || uri.endsWith('graph')) {
    const rows = Array.from({ length: 40 }, (_, id) => ({ id, square: id * id }));
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ rows }) }] };
  }
  if (uri.endsWith('bytes')) {
    const blob = btoa(
      Array.from({ length: 4096 }, (_, at) => String.fromCharCode(at % 256)).join(''),
    );
    return { contents: [{ uri, mimeType: 'application/octet-stream', blob }] };
  }
  if (uri.endsWith('clock')) {
    return { contents: [{ uri, mimeType: 'text/plain', text: new Date().toISOString() }] };
  }
  const text = `# ${uri.split('/').pop()}\n\nSome *Markdown* with a [link](https://example.com).\n\n- one\n- two\n`;
  return { contents: [{ uri, mimeType: 'text/markdown', text }] };
}

/** The messages of a prompt. */
export function promptResult(name: string, given: readonly (readonly [string, string])[]): unknown {
  const words = given.map(([argument, value]) => `${argument}: ${value}`).join('\n');
  return {
    description: `The prompt ${name}`,
    messages: [
      {
        role: 'user',
        content: { type: 'text', text: `Please ${name.replaceAll('_', ' ')}.\n${words}` },
      },
      {
        role: 'assistant',
        content: { type: 'text', text: 'Of course. What should I look at first?' },
      },
    ],
  };
}
