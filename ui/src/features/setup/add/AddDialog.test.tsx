import { act, createEvent, fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { BackendContext } from '@/backend/backend';
import { stubBackend } from '@/test-support/backend';
import { stubResizeObserver } from '@/test-support/no-layout';
import { AddDialog } from './AddDialog';
import { EarlyPaste } from './early-paste';

stubResizeObserver();

/** Opens the dialog, and returns how the clipboard is looked at. */
async function open(text?: string) {
  const clipboardOffer = vi.fn(async () => null);
  const backend = stubBackend({
    getClipboardOffer: clipboardOffer,
    listImportCandidates: async () => [],
    checkDraft: async () => ({ findings: [], variables: [], program: null, lost: [] }),
    getDraftLaunch: () => new Promise(() => {}),
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
