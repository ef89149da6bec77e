import { render, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { ServerQuestion } from '@/backend/bindings';
import { stubBackend } from '@/test-support/backend';
import { UrlElicitation } from './UrlElicitation';

function ask(url: string) {
  const question: ServerQuestion = {
    id: 1,
    server: 'mcp-json:docs',
    method: 'elicitation/create',
    params: JSON.stringify({ mode: 'url', message: 'Sign in', url }),
    at: null,
    call: null,
    frame: null,
    beforeAnotherTry: false,
    timeLeft: null,
    remark: null,
    awaitsModel: false,
  };
  const openAddress = vi.fn(async (_address: string) => null);
  const { container } = render(
    <BackendContext.Provider value={stubBackend({ openAddress })}>
      <UrlElicitation question={question} isSending={false} onAnswer={() => {}} />
    </BackendContext.Provider>,
  );
  const button = screen.getByRole<HTMLButtonElement>('button', { name: /^Open/ });
  return { openAddress, button, shown: container.querySelector('pre')?.textContent };
}

it('opens the address that it shows, in its normal form', async () => {
  const { openAddress, button, shown } = ask(' ht\ttps://exa\nmple.test/a b?c="d\u202e ');
  expect(shown).toBe('https://example.test/a%20b?c=%22d%E2%80%AE');
  button.click();
  await waitFor(() => expect(openAddress.mock.calls).toEqual([[shown]]));
});

it('opens nothing but web addresses, and shows what it does not open', () => {
  const { openAddress, button, shown } = ask('java\tscript:alert(1)');
  expect(shown).toBe('java\\u{9}script:alert(1)');
  expect(button.disabled).toBe(true);
  button.click();
  expect(openAddress).not.toHaveBeenCalled();
});
