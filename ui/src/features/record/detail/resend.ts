import type { Backend } from '@/backend/backend';
import type { ExchangeRow, ServerId } from '@/backend/bindings';
import { isExactObject, parseExact, stringifyExact } from '@/lib/json/exact';
import { type Request, startRun } from '@/state/calls/start-run';
import { openPlace } from '@/state/navigation';
import { showError } from '@/state/notices';
import { connect } from '@/state/servers/connecting';
import { isConnected } from '@/state/servers/servers';
import { saveRequest } from '@/state/tests/save-request';

interface Form {
  tab: 'tools' | 'resources' | 'prompts';
  /** The place of the name or the URI in the request. */
  name: string;
  /** The place of the arguments. */
  arguments?: string;
  /** Makes the request again; `definition` is that of a tool, as it was seen last. */
  request(name: string, input: string, definition: string | null): Request;
}

/** The form in which a request of each kind is made. */
const FORMS: Record<string, Form> = {
  'tools/call': {
    tab: 'tools',
    name: '/params/name',
    arguments: '/params/arguments',
    request: (name, input, definition) => ({ kind: 'tool', name, input, definition }),
  },
  'resources/read': {
    tab: 'resources',
    name: '/params/uri',
    request: (name) => ({ kind: 'resource', name }),
  },
  'prompts/get': {
    tab: 'prompts',
    name: '/params/name',
    arguments: '/params/arguments',
    request: (name, input) => ({ kind: 'prompt', name, values: JSON.parse(input) }),
  },
};

/** Tells whether there is a form in which the request of this row could be made again. */
export function canResend(row: ExchangeRow): boolean {
  return row.kind === 'request' && row.direction === 'sent' && row.method in FORMS;
}

/** Opens the form of the request, filled in as it was sent, and connects where that is needed. */
export async function editAndResend(backend: Backend, row: ExchangeRow): Promise<void> {
  const form = FORMS[row.method];
  if (!form) return;
  try {
    const { name, input } = await contentOf(backend, row, form);
    const given = form.arguments ? { arguments: input, from: `#${row.id}` } : {};
    openPlace({ server: row.serverId, tab: form.tab, item: name, ...given });
    if (!isConnected(row.serverId)) connect(backend, row.serverId);
  } catch (reason) {
    showError(reason);
  }
}

/** Sends the request again as it was, and shows its outcome in its form. */
export async function resend(backend: Backend, row: ExchangeRow): Promise<void> {
  const form = FORMS[row.method];
  if (!form) return;
  try {
    const { name, input } = await contentOf(backend, row, form);
    const definition = form.tab === 'tools' ? await lastSeen(backend, row.serverId, name) : null;
    openPlace({ server: row.serverId, tab: form.tab, item: name });
    startRun(backend, row.serverId, form.request(name, input, definition));
  } catch (reason) {
    showError(reason);
  }
}

/** Reads the definition of a tool as it was seen last; null where it is not listed. */
async function lastSeen(backend: Backend, server: ServerId, tool: string): Promise<string | null> {
  if (!isConnected(server)) await backend.restoreLists(server);
  const index = await backend.findItem(server, 'tools', tool);
  return index === null ? null : (await backend.getItem(server, 'tools', index)).json;
}

/** Saves a request on record as a file of the project. */
export async function saveRow(backend: Backend, row: ExchangeRow): Promise<void> {
  const frame = row.requestFrame;
  // A request without parameters has nothing at that place.
  const text = await backend
    .getPayloadText({ frame, pointer: '/params', form: 'raw' })
    .catch(() => '{}');
  saveRequest(row.serverId, row.target ?? row.method, row.method, withoutMeta(text));
}

/** Leaves out what the connection adds to every request. */
function withoutMeta(text: string): string {
  const params = parseExact(text);
  if (!isExactObject(params)) return text;
  const { _meta, ...rest } = params;
  return stringifyExact(rest);
}

/** Reads the name and the arguments of a request from the record. */
async function contentOf(backend: Backend, row: ExchangeRow, form: Form) {
  const frame = row.requestFrame;
  const name = await backend.getPayloadText({ frame, pointer: form.name, form: 'text' });
  const pointer = form.arguments;
  if (pointer === undefined) return { name, input: '{}' };
  // A request without arguments has nothing at that place.
  const input = await backend.getPayloadText({ frame, pointer, form: 'raw' }).catch(() => '');
  return { name, input: input || '{}' };
}
