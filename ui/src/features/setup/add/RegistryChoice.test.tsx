import { render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { RegistryServer } from '@/backend/bindings';
import { stubBackend } from '@/test-support/backend';
import { RegistryChoice } from './RegistryChoice';

const SERVER: RegistryServer = {
  name: 'io.github.stranger/server',
  title: null,
  description: 'Does something.',
  version: '1.0.0',
  status: 'active',
  statusMessage: null,
  published: null,
  latest: true,
  repository: null,
  website: null,
  candidates: [],
  bundles: [],
};

function open(pages: Partial<RegistryServer>) {
  const server = { ...SERVER, ...pages };
  const openAddress = vi.fn(async (_address: string) => null);
  const backend = stubBackend({ openAddress, listRegistryVersions: async () => [server] });
  render(
    <BackendContext.Provider value={backend}>
      <RegistryChoice server={server} onBack={() => {}} onChoose={() => {}} />
    </BackendContext.Provider>,
  );
  return openAddress;
}

it('shows the address of a page, as the browser reads it, and opens that one', () => {
  const openAddress = open({ website: 'https://good.example@\u0430s.evil/\u202epage' });
  const address = 'https://good.example@xn--s-7sb.evil/%E2%80%AEpage';
  expect(screen.getByText(address)).toBeVisible();
  screen.getByRole('button', { name: 'Website ↗' }).click();
  expect(openAddress.mock.calls).toEqual([[address]]);
});

it('opens nothing but web addresses', () => {
  open({ repository: 'file:///etc/passwd\u202e' });
  expect(screen.getByText('file:///etc/passwd\\u{202e}')).toBeVisible();
  expect(screen.queryByRole('button', { name: /Repository/ })).toBeNull();
});
