import type { Draft, Failure } from '@/backend/bindings';
import { hostOf, isLoopback } from '@/lib/url';

/** A change of a server's entry that mends what its failure is about. */
export type Repair =
  /** The program in the place of one that is not there; what follows it stays. */
  | { kind: 'command'; from: string; to: string }
  /** The program behind a shell of another system, without the arguments before it. */
  | { kind: 'shell'; from: string; to: string }
  /** The arguments and variables that a command holds, where they belong. */
  | { kind: 'split' }
  | { kind: 'scheme'; from: 'http:' | 'https:'; to: 'http:' | 'https:' }
  | { kind: 'address'; to: string }
  | { kind: 'certificate'; fingerprint: string }
  | { kind: 'variable'; name: string; value: string };

/** Texts with which servers for https answer plain http: nginx, Go, Apache. */
const WANTS_TLS =
  /plain HTTP request was sent to HTTPS|HTTP request to an HTTPS server|speaking plain HTTP to an SSL/i;

/** Returns the repair that follows from a failure alone; null where there is none. */
export function repairOf(failure: Failure | undefined): Repair | null {
  switch (failure?.type) {
    case 'spawnFailed': {
      const { fault } = failure;
      if (fault.type === 'notOnPath' && fault.nearest !== null) {
        return { kind: 'command', from: fault.command, to: fault.nearest };
      }
      if (fault.type === 'forWindows' && fault.instead !== null) {
        return { kind: 'shell', from: fault.command, to: fault.instead };
      }
      const holdsMore =
        fault.type === 'argumentsInCommand' ||
        (fault.type === 'variablesInCommand' && fault.line.length > 0);
      return holdsMore ? { kind: 'split' } : null;
    }
    case 'certificateRefused': {
      const [shown] = failure.chain;
      return shown ? { kind: 'certificate', fingerprint: shown.fingerprint } : null;
    }
    case 'network': {
      const { stage, status, url, body, proxy } = failure;
      if (proxy !== null) return null;
      // Anyone on the way can break off a handshake, and would read what follows.
      if (stage === 'tls' && url.startsWith('https:') && isLoopback(url)) {
        return { kind: 'scheme', from: 'https:', to: 'http:' };
      }
      return status === 400 && url.startsWith('http:') && WANTS_TLS.test(body ?? '')
        ? { kind: 'scheme', from: 'http:', to: 'https:' }
        : null;
    }
    default:
      return null;
  }
}

/** Tells a repair after which nothing is encrypted any more. It is never the main thing to do. */
export function endsEncryption(repair: Repair): boolean {
  return repair.kind === 'scheme' && repair.to === 'http:';
}

/** Returns an entry as a repair leaves it; null where it no longer says what is to be mended. */
export function repaired(draft: Draft, repair: Exclude<Repair, { kind: 'split' }>): Draft | null {
  const { endpoint } = draft;
  switch (repair.kind) {
    case 'command':
      if (endpoint.type !== 'stdio' || endpoint.command !== repair.from) return null;
      return { ...draft, endpoint: { ...endpoint, command: repair.to } };
    case 'shell': {
      if (endpoint.type !== 'stdio' || endpoint.command !== repair.from) return null;
      const at = endpoint.arguments.indexOf(repair.to);
      if (at < 0) return null;
      const rest = endpoint.arguments.slice(at + 1);
      return { ...draft, endpoint: { ...endpoint, command: repair.to, arguments: rest } };
    }
    case 'variable': {
      if (endpoint.type !== 'stdio') return null;
      const others = endpoint.environment.filter(({ name }) => name !== repair.name);
      const environment = [...others, { name: repair.name, text: repair.value }];
      return { ...draft, endpoint: { ...endpoint, environment } };
    }
    case 'scheme': {
      if (endpoint.type !== 'remote' || !endpoint.url.startsWith(repair.from)) return null;
      if (endsEncryption(repair) && !mayBeLoopback(endpoint.url)) return null;
      const url = repair.to + endpoint.url.slice(repair.from.length);
      return { ...draft, endpoint: { ...endpoint, url } };
    }
    case 'address':
      if (endpoint.type !== 'remote') return null;
      return { ...draft, endpoint: { ...endpoint, url: repair.to } };
    case 'certificate':
      if (endpoint.type !== 'remote') return null;
      return { ...draft, endpoint: { ...endpoint, fingerprint: repair.fingerprint } };
  }
}

/** Tells an address of this machine, and one whose host a variable decides. */
function mayBeLoopback(address: string): boolean {
  return isLoopback(address) || hostOf(address).includes('${');
}
