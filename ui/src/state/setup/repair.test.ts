import { describe, expect, it } from 'vitest';
import type { Draft, Failure, StartFault } from '@/backend/bindings';
import { endsEncryption, type Repair, repaired, repairOf } from './repair';

function notStarted(fault: StartFault): Failure {
  return { type: 'spawnFailed', commandLine: 'x', message: 'x', fault };
}

function network(overrides: Partial<Extract<Failure, { type: 'network' }>>): Failure {
  const url = 'https://localhost:3000/mcp';
  const none = { status: null, message: '', body: null, proxy: null };
  return { type: 'network', stage: 'http', url, ...none, ...overrides };
}

function program(command: string, args: string[]): Draft {
  const endpoint = { command, arguments: args, environment: [], workingDirectory: null };
  return { name: 'time', endpoint: { type: 'stdio', ...endpoint } };
}

function remote(url: string): Draft {
  const rest = { headers: [], caFile: null, fingerprint: null };
  return { name: 'time', endpoint: { type: 'remote', transport: 'http', url, ...rest } };
}

describe('the repair of a failure', () => {
  it('is the program that was meant, or the one behind a shell of Windows', () => {
    const typo = repairOf(notStarted({ type: 'notOnPath', command: 'uvxx', nearest: 'uvx' }));
    expect(typo).toEqual({ kind: 'command', from: 'uvxx', to: 'uvx' });
    expect(repaired(program('uvxx', ['mcp-server-time']), typo as never)).toEqual(
      program('uvx', ['mcp-server-time']),
    );
    const shell = repairOf(notStarted({ type: 'forWindows', command: 'cmd', instead: 'npx' }));
    expect(repaired(program('cmd', ['/c', 'npx', '-y', 'x']), shell as never)).toEqual(
      program('npx', ['-y', 'x']),
    );
  });

  it('is the scheme that the port speaks, with all else of the address as the entry writes it', () => {
    const plain = repairOf(network({ stage: 'tls' })) as never;
    expect(repaired(remote('https://${HOST}/mcp'), plain)).toEqual(remote('http://${HOST}/mcp'));
    const url = 'http://localhost/mcp';
    const body = 'The plain HTTP request was sent to HTTPS port';
    expect(repairOf(network({ status: 400, url, body }))).toEqual({
      kind: 'scheme',
      from: 'http:',
      to: 'https:',
    });
  });

  it('gives up encryption on this machine alone, and not as the main thing to do', () => {
    const broken = (url: string) => repairOf(network({ stage: 'tls', url }));
    for (const host of ['localhost:3000', 'api.localhost', '127.0.0.1', '[::1]:8443']) {
      const repair = broken(`https://${host}/mcp`);
      expect(repair, host).toEqual({ kind: 'scheme', from: 'https:', to: 'http:' });
      expect(repair && endsEncryption(repair)).toBe(true);
    }
    for (const host of [
      'api.example',
      '192.168.0.2',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'localhost@evil.example',
      '0.0.0.0',
    ]) {
      expect(broken(`https://${host}/mcp`), host).toBeNull();
    }
    expect(endsEncryption({ kind: 'scheme', from: 'http:', to: 'https:' })).toBe(false);
    // The entry may lead elsewhere by now.
    const repair = broken('https://localhost/mcp') as never;
    expect(repaired(remote('https://api.example/mcp'), repair)).toBeNull();
    expect(repaired(remote('https://api.example/${X}'), repair)).toBeNull();
  });

  it('is none where a failure has several meanings, or the entry says something else by now', () => {
    const other = { type: 'notOnPath', command: 'x', nearest: null } as const;
    expect(repairOf(notStarted(other))).toBeNull();
    expect(repairOf(network({ status: 400, body: 'no' }))).toBeNull();
    expect(repairOf(network({ stage: 'tls', proxy: { address: 'x', source: 'y' } }))).toBeNull();
    const repair: Exclude<Repair, { kind: 'split' }> = { kind: 'command', from: 'a', to: 'b' };
    expect(repaired(program('c', []), repair)).toBeNull();
    expect(repaired(remote('https://x'), repair)).toBeNull();
  });

  it('sets a variable once', () => {
    const draft = program('x', []);
    const repair = { kind: 'variable', name: 'KEY', value: '1' } as const;
    const once = repaired(draft, repair);
    expect(once && repaired(once, { ...repair, value: '2' })).toMatchObject({
      endpoint: { environment: [{ name: 'KEY', text: '2' }] },
    });
  });
});
