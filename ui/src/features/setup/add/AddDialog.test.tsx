import { act, createEvent, fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { Candidate } from '@/backend/bindings';
import { useConfiguration } from '@/state/setup/configuration';
import { stubBackend } from '@/test-support/backend';
import { SCOPES } from '@/test-support/configuration';
import { stubResizeObserver } from '@/test-support/no-layout';
import { AddDialog } from './AddDialog';
import { EarlyPaste } from './early-paste';
import { freeName } from './use-offer';

stubResizeObserver();

/** Opens the dialog, and returns how the clipboard is looked at. */
async function open(text?: string, candidates: readonly Candidate[] = []) {
  const clipboardOffer = vi.fn(async () => null);
  const backend = stubBackend({
    getClipboardOffer: clipboardOffer,
    listImportCandidates: async () => [...candidates],
    checkDraft: async () => ({ findings: [], variables: [], program: null, lost: [] }),
    getDraftLaunch: () => new Promise(() => {}),
    planConfiguration: async () => Promise.reject(new Error('It is planned.')),
  });
  render(
    <BackendContext.Provider value={backend}>
      <AddDialog text={text} />
    </BackendContext.Provider>,
  );
  await act(async () => {});
  expect(screen.getByRole('dialog', { name: 'Add server' })).toBeVisible();
  return clipboardOffer;
}

it('looks at the clipboard where the user opened it', async () => {
  const clipboardOffer = await open();
  expect(clipboardOffer).toHaveBeenCalledOnce();
});

it('leaves the clipboard alone where a link opened it', async () => {
  const clipboardOffer = await open('sightglass://add?name=docs');
  expect(clipboardOffer).not.toHaveBeenCalled();
});

/** Pastes a text with the focus in no field. */
function paste(text: string) {
  const event = createEvent.paste(document.body);
  Object.assign(event, { clipboardData: { getData: () => text } });
  fireEvent(document.body, event);
}

const pasted = () => screen.getByRole('textbox', { name: 'Paste anything' });

it('takes what is pasted before its field has the focus', async () => {
  await open();
  paste('uvx mcp-server-fetch');
  expect(pasted()).toHaveValue('uvx mcp-server-fetch');
  paste('something else');
  expect(pasted()).toHaveValue('uvx mcp-server-fetch');
});

it('takes what was pasted while it was on its way', async () => {
  const { unmount } = render(<EarlyPaste />);
  paste('npx -y docs');
  unmount();
  await open();
  expect(pasted()).toHaveValue('npx -y docs');
});

it('counts on to the first name that is free', () => {
  const taken = new Set(['docs', 'docs-2']);
  expect(freeName('docs', (name) => taken.has(name))).toBe('docs-3');
  expect(freeName('notes', (name) => taken.has(name))).toBe('notes');
});

it('offers a free name beside one that is taken, and plans nothing under the taken one', async () => {
  useConfiguration.setState({ view: SCOPES.configuration });
  const endpoint = {
    type: 'remote' as const,
    transport: 'http' as const,
    url: 'https://postgres.example/other',
    headers: [],
  };
  const found = { draft: { name: 'postgres', endpoint }, origin: 'URL', inputs: [], notes: [] };
  await open(endpoint.url, [{ ...found, leftOut: [], bundle: null }]);
  const name = await screen.findByDisplayValue('postgres-2');
  await screen.findByText('It is planned.');
  fireEvent.change(name, { target: { value: 'postgres' } });
  expect(screen.queryByText('It is planned.')).toBeNull();
  expect(screen.getByRole('button', { name: 'Save and connect' })).toBeDisabled();
});
