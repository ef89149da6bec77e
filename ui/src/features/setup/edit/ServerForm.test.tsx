import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { ClientFields, DraftCheck } from '@/backend/bindings';
import { EMPTY, type Form, NO_SIGN_IN } from './form';
import { ServerForm } from './ServerForm';

Element.prototype.scrollIntoView ??= () => {};

const KEYS = {
  off: true,
  clientId: true,
  clientMetadataUrl: true,
  scopes: true,
  callbackPort: true,
  bearerVariable: true,
};

const FIELDS = {
  transports: ['stdio', 'http', 'sse', 'ws'],
  headers: true,
  signIn: KEYS,
} as unknown as ClientFields;

function show(form: Partial<Form>, ...findings: [field: string, message: string][]) {
  const check: DraftCheck = {
    findings: findings.map(([field, message]) => ({ field, severity: 'error', message })),
    variables: [],
    program: null,
    lost: [],
  };
  const remote: Form = { ...EMPTY, name: 'web', kind: 'remote', ...form };
  render(<ServerForm form={remote} check={check} expresses={FIELDS} onChange={() => {}} />);
  return userEvent.setup();
}

test('what the backend finds wrong with an address stands at the field once that was used', async () => {
  const user = show({ url: 'example.com' }, ['url', 'url has to begin with https://.']);
  expect(screen.queryByText('url has to begin with https://.')).toBeNull();
  await user.click(screen.getByRole('textbox', { name: 'URL' }));
  await user.tab();
  expect(screen.getByText('url has to begin with https://.')).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'URL' })).toBeInvalid();
});

test('what the backend finds wrong with signing in stands at its field', async () => {
  const user = show(
    {
      url: 'https://example.com',
      signIn: { ...NO_SIGN_IN, clientMetadataUrl: 'http://a.example/client.json' },
    },
    ['signIn.clientMetadataUrl', 'Enter an address that begins with https://.'],
  );
  const field = screen.getByRole('textbox', { name: 'Client ID Metadata Document' });
  await user.click(field);
  await user.tab();
  expect(screen.getByText('Enter an address that begins with https://.')).toBeVisible();
  expect(field).toBeInvalid();
});
