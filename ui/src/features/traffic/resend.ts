import type { Backend } from '@/backend/backend';
import type { ExchangeRow, ListKind } from '@/backend/bindings';
import { type Tab, useNavigation } from '@/state/navigation';
import { showError } from '@/state/notices';

/**
 * The form in which a request of each kind is made, and the places of its name and its arguments.
 */
const FORMS: Record<string, { tab: Tab; list: ListKind; name: string; arguments?: string }> = {
  'tools/call': {
    tab: 'tools',
    list: 'tools',
    name: '/params/name',
    arguments: '/params/arguments',
  },
  'resources/read': { tab: 'resources', list: 'resources', name: '/params/uri' },
  'prompts/get': {
    tab: 'prompts',
    list: 'prompts',
    name: '/params/name',
    arguments: '/params/arguments',
  },
};

/** Tells whether there is a form in which the request of this row could be made again. */
export function canResend(row: ExchangeRow): boolean {
  return row.kind === 'request' && row.direction === 'sent' && row.method in FORMS;
}

/** Opens the form of the request, filled in as it was sent. */
export async function resend(backend: Backend, row: ExchangeRow): Promise<void> {
  const form = FORMS[row.method];
  if (!form) return;
  const part = (pointer: string) =>
    backend.payloadText({ frame: row.request_frame, pointer, form: 'text' });
  try {
    const item = await part(form.name);
    useNavigation.getState().open({
      server: row.server_id,
      tab: form.tab,
      list: form.list,
      item,
      // A request without arguments has nothing at that place.
      arguments: form.arguments
        ? await backend
            .payloadText({ frame: row.request_frame, pointer: form.arguments, form: 'raw' })
            .then((text) => text || '{}')
            .catch(() => '{}')
        : undefined,
    });
  } catch (reason) {
    showError(reason);
  }
}
