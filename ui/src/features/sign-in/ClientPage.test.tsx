import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type Backend, BackendContext } from '@/backend/backend';
import type { AuthSettings, AuthSettingsView } from '@/backend/bindings';
import { sampleView } from '@/test-support/auth';
import { demoServer } from '@/test-support/servers';
import { ClientPage } from './ClientPage';
import { draftOf, settingsOf } from './client-draft';

const EMPTY: AuthSettings = {
  ...settingsOf({
    ...draftOf({ secretHeaders: [], callbackPort: null } as unknown as AuthSettings),
    mode: null,
    authMethod: null,
    allowMissingS256: false,
    allowOtherAudience: false,
  }),
};

const view = (settings: AuthSettings): AuthSettingsView => ({
  settings,
  configured: EMPTY,
  kept: [],
  publishedClient: null,
});

it('keeps what is typed while the settings are saved', async () => {
  let answer = (_: AuthSettingsView) => {};
  const backend = {
    getAuthSettings: async () => view(EMPTY),
    updateAuthSettings: () =>
      new Promise<AuthSettingsView>((resolve) => {
        answer = resolve;
      }),
  } as unknown as Backend;
  const server = { ...demoServer(), id: 'mcp-json:github' };
  render(
    <BackendContext.Provider value={backend}>
      <ClientPage server={server} view={sampleView(server.id, 'https://a.example/mcp')} />
    </BackendContext.Provider>,
  );
  const id = await screen.findByRole('textbox', { name: 'Client ID' });
  fireEvent.change(id, { target: { value: ' mine ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  fireEvent.change(screen.getByRole('textbox', { name: /^Scopes/ }), { target: { value: 'read' } });
  await act(async () => answer(view({ ...EMPTY, clientId: 'mine' })));
  // The same field: nothing that is open or focused is lost.
  expect(screen.getByRole('textbox', { name: 'Client ID' })).toBe(id);
  expect(screen.getByRole('textbox', { name: /^Scopes/ })).toHaveProperty('value', 'read');
  expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', false);
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await act(async () => answer(view({ ...EMPTY, clientId: 'mine', scopes: ['read'] })));
  expect(id).toHaveProperty('value', 'mine');
  expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
});
