import { describe, expect, it } from 'vitest';
import type { Client } from '@/backend/bindings';
import { clientOf, serverOf } from '@/state/setup/configuration';
import { SCOPES } from '@/test-support/configuration';
import { failed, TIMED_OUT } from '@/test-support/servers';
import { nextStep } from './next-step';

const { configuration: view, servers, explanations } = SCOPES;

function next(
  name: string,
  { client = 'mcp-json', fails = false }: { client?: Client; fails?: boolean } = {},
) {
  const owner = clientOf(view, client);
  const server = serverOf(view, client, name);
  if (!owner || !server) throw new Error(`no ${name}`);
  const known = servers.find((one) => one.name === name);
  const connected =
    known && fails ? { ...known, status: failed('initializing', TIMED_OUT) } : known;
  return nextStep(
    owner,
    server,
    explanations[client]?.[name] ?? null,
    client === 'mcp-json' ? connected : undefined,
  );
}

describe('the next step', () => {
  it('is to mend a mistake at its line', () => {
    expect(next('search').step).toMatchObject({ kind: 'text', column: 5 });
    expect(next('search').message).toContain('A server needs a command or a url');
  });

  it('is to approve, to enable, or to ask whoever manages the computer', () => {
    expect(next('deploy').step.kind).toBe('approve');
    expect(next('slack').step.kind).toBe('enable');
    expect(next('shell')).toMatchObject({ button: null, step: { kind: 'none' } });
  });

  it('is to answer what another client asks, where its answers are kept', () => {
    const waiting = (client: Client) => {
      const owner = view.clients[0];
      const server = owner?.servers[0];
      if (!owner || !server) throw new Error('an empty view');
      const state = { type: 'waiting' as const };
      return nextStep({ ...owner, client }, { ...server, state }, null, undefined);
    };
    expect(waiting('claude-code')).toMatchObject({ button: 'Approve', step: { kind: 'enable' } });
    expect(waiting('codex')).toMatchObject({ button: null, step: { kind: 'none' } });
  });

  it('names a variable without a value before anything is connected', () => {
    expect(next('postgres').message).toContain('DATABASE_URI, which is not set');
    expect(next('postgres').step.kind).toBe('text');
  });

  it('is to connect, or to see why that failed', () => {
    expect(next('linear').step.kind).toBe('connect');
    expect(next('linear', { fails: true }).step.kind).toBe('overview');
  });

  it('is to copy a server of another client to where it can be looked into', () => {
    expect(next('sentry', { client: 'claude-code' }).step).toMatchObject({ kind: 'copy' });
  });
});
