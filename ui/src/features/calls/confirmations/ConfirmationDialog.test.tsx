import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { BackendContext } from '@/backend/backend';
import { useSnapshot } from '@/state/snapshot';
import { stubBackend } from '@/test-support/backend';
import ConfirmationDialog from './ConfirmationDialog';

/** The arguments as the dialog shows them. */
function shown(text: string): string {
  useSnapshot.setState({
    confirmations: [
      {
        id: 1,
        server: 'mcp-json:files',
        tool: 'delete',
        identity: null,
        arguments: text,
        reasons: [{ type: 'destructive' }],
        count: 1,
      },
    ],
  });
  render(
    <BackendContext.Provider value={stubBackend()}>
      <ConfirmationDialog />
    </BackendContext.Provider>,
  );
  return screen.getByRole('region', { name: 'Arguments' }).querySelector('pre')?.textContent ?? '';
}

it('shows the end of a long string, what is nested deep, and every member of many', () => {
  const text = JSON.stringify({
    long: `${'x'.repeat(2000)}; rm -rf /`,
    a: { b: { c: { d: { e: { f: 'deep' } } } } },
    many: Array.from({ length: 300 }, (_, index) => `item ${index}`),
  });
  const arguments_ = shown(text);
  expect(arguments_).toContain('; rm -rf /');
  expect(arguments_).toContain('"f": "deep"');
  expect(arguments_).toContain('"item 299"');
});

it('shows each of several members of one name, and characters without a look', () => {
  const arguments_ = shown('{"path":"/tmp/\u202ex","path":"/home"}');
  expect(arguments_).toBe('{\n  "path": "/tmp/\\u{202e}x",\n  "path": "/home"\n}');
});
