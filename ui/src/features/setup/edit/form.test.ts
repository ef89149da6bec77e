import { describe, expect, it } from 'vitest';
import type { Editing } from '@/state/setup/config-view';
import { splitCommandLine } from '../add/command-line';
import {
  draftOf,
  EMPTY,
  errorsOf,
  formOf,
  isComplete,
  NO_SIGN_IN,
  type SignInForm,
  withAddress,
  withCommandLine,
  withCommandSplit,
  withProposal,
} from './form';

describe('a command that holds its arguments', () => {
  it('is split as a shell would, in front of the arguments there are', () => {
    const form = { ...EMPTY, name: 'a', command: 'uv run "my server.py"', arguments: ['--fast'] };
    expect(withCommandSplit(form)).toMatchObject({
      name: 'a',
      command: 'uv',
      arguments: ['run', 'my server.py', '--fast'],
    });
  });

  it('gives its variables to the environment', () => {
    const form = { ...EMPTY, name: 'a', command: 'API_KEY=abc npx x' };
    expect(withCommandSplit(form)).toMatchObject({
      command: 'npx',
      arguments: ['x'],
      environment: [{ name: 'API_KEY', text: 'abc' }],
    });
  });
});

describe('a variable that is about to be set', () => {
  const editing: Editing = {
    target: { client: 'mcp-json', scope: 'project' },
    name: 'a',
    place: null,
    variable: 'DATABASE_URL',
  };

  it('gets a row below the others', () => {
    const form = { ...EMPTY, environment: [{ name: 'A', text: '1' }] };
    expect(withProposal(form, editing).environment).toEqual([
      { name: 'A', text: '1' },
      { name: 'DATABASE_URL', text: '' },
    ]);
  });

  it('keeps the row that it has', () => {
    const form = { ...EMPTY, environment: [{ name: 'DATABASE_URL', text: '${DB}' }] };
    expect(withProposal(form, editing)).toBe(form);
  });
});

describe('the server form', () => {
  it('asks for a name and a program', () => {
    expect(Object.keys(errorsOf(EMPTY))).toEqual(['name', 'command']);
  });

  it('asks for an address', () => {
    const form = { ...EMPTY, name: 'a', kind: 'remote' as const };
    expect(Object.keys(errorsOf(form))).toEqual(['url']);
    expect(errorsOf({ ...form, url: '${BASE}/mcp' })).toEqual({});
  });

  it('is not complete while the backend finds a field wrong', () => {
    const form = { ...EMPTY, name: 'a', kind: 'remote' as const, url: 'example.com/mcp' };
    const found = (severity: 'error' | 'warning', field = 'url') =>
      isComplete(form, {
        findings: [{ field, severity, message: 'No.' }],
        variables: [],
        program: null,
        lost: [],
      });
    expect(found('error')).toBe(false);
    expect(found('error', 'signIn.clientMetadataUrl')).toBe(false);
    expect(found('warning')).toBe(true);
  });

  it('keeps a draft as it was', () => {
    const draft = draftOf({
      ...EMPTY,
      name: 'files',
      command: 'npx',
      arguments: ['-y', ''],
      environment: [{ name: 'A', text: '1' }],
    });
    expect(draftOf(formOf(draft))).toEqual(draft);
  });

  it('keeps what an entry says of signing in', () => {
    const form = {
      ...EMPTY,
      name: 'web',
      kind: 'remote' as const,
      url: 'https://example.com',
      signIn: { ...NO_SIGN_IN, clientId: 'abc', scopes: 'read  write', callbackPort: '8123' },
    };
    const draft = draftOf(form);
    expect(draft.signIn).toEqual({
      off: false,
      clientId: 'abc',
      clientMetadataUrl: null,
      scopes: ['read', 'write'],
      callbackPort: 8123,
      bearerVariable: null,
    });
    expect(draftOf(formOf(draft))).toEqual(draft);
  });

  it('writes only what belongs to the chosen way of signing in', () => {
    const form = { ...EMPTY, name: 'web', kind: 'remote' as const, url: 'https://example.com' };
    const signIn = { ...NO_SIGN_IN, clientId: 'abc', bearerVariable: 'API_TOKEN' };
    const written = (way: 'bearer' | 'off') =>
      draftOf({ ...form, signIn: { ...signIn, way } }).signIn;
    expect(written('bearer')).toMatchObject({ clientId: null, bearerVariable: 'API_TOKEN' });
    expect(written('off')).toMatchObject({ off: true, clientId: null, bearerVariable: null });
    expect(draftOf(form).signIn).toBeNull();
  });

  it('says what is wrong with the fields of signing in', () => {
    const form = { ...EMPTY, name: 'web', kind: 'remote' as const, url: 'https://example.com' };
    const errors = (signIn: Partial<SignInForm>) =>
      Object.keys(errorsOf({ ...form, signIn: { ...NO_SIGN_IN, ...signIn } }));
    expect(errors({ callbackPort: '70000' })).toEqual(['callbackPort']);
    expect(errors({ way: 'bearer' })).toEqual(['bearerVariable']);
    expect(errors({ way: 'off', callbackPort: 'x' })).toEqual([]);
  });

  it('leaves out rows that were never filled in', () => {
    const { endpoint } = draftOf({
      ...EMPTY,
      name: 'web',
      kind: 'remote',
      url: 'https://example.com',
      headers: [{ name: '', text: '' }],
    });
    expect(endpoint).toEqual({
      type: 'remote',
      transport: 'http',
      url: 'https://example.com',
      headers: [],
      caFile: null,
      fingerprint: null,
    });
  });

  it('names a server after the package of a pasted command line', () => {
    const named = (text: string) => withCommandLine(EMPTY, splitCommandLine(text)).name;
    expect(named('npx -y @modelcontextprotocol/server-memory@1.2')).toBe('memory');
    expect(named('uvx mcp-server-time --zone UTC')).toBe('time');
    expect(named('node build/github-mcp.js')).toBe('github');
  });

  it('names a server after the host of a pasted address', () => {
    expect(withAddress(EMPTY, 'https://mcp.linear.app/mcp').name).toBe('linear');
  });
});
