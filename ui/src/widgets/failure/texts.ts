/** All texts of failures, wherever they are shown. */
import type { Failure } from '@/backend/bindings';
import { formatDuration } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import type { Repair } from '@/state/setup/repair';

/** The evidence of a failure. */
export const EVIDENCE = {
  tried: 'Tried',
  cameBack: 'Came back',
  stderr: 'Last of stderr',
  stdout: 'Last of stdout',
  noAnswerTo: 'No answer to',
  challenge: 'Challenge',
  issuer: 'Issuer',
  rule: 'Rule',
  received: 'Received',
  body: 'Body',
  proxy: 'Proxy',
  proxyFrom: (address: string, source: string) => `${address} (from ${source})`,
  prompt: 'It asks',
  certificate: 'Certificate',
  issuedBy: 'Issued by',
  problem: 'Problem',
  fault: 'Internal error',
  programMissing: 'The program was not found',
  silence: (limit: number, phase: string) =>
    `Nothing within ${formatDuration(limit)} while ${phase.toLowerCase()}`,
  status: (status: number) => `HTTP ${status}`,
  sessionUnknown: 'The server no longer knows the session',
  certificateIssuer: 'issued by',
  certificateNames: (names: readonly string[]) => `for ${names.join(', ')}`,
  certificateDays: (from: string, to: string) => `valid from ${from} to ${to}`,
  exit: (code: number | null, signal: number | null) =>
    signal === null
      ? `The program ended with exit code ${code ?? 'unknown'}`
      : `The program was ended by signal ${signal}`,
  request: (method: string, target: string | null, id: string) =>
    target === null ? `${method} (id ${id})` : `${method} ${target} (id ${id})`,
  openFor: (waited: number) => `open for ${formatDuration(waited)}`,
};

/** The loss of a connection or of a request. */
export const LOSS = {
  exited: (code: number | null, signal: number | null) => {
    if (signal !== null) return `The server was ended by signal ${signal} before it answered`;
    return code === 0
      ? 'The server ended (exit 0) before it answered'
      : `The server crashed (exit ${code ?? 'unknown'}) before it answered`;
  },
  kind: (failure: Failure) => {
    if (failure.type !== 'exited') return 'Lost its connection';
    return failure.code === 0 ? 'Ended' : 'Crashed';
  },
  remembered: (kind: string, count: number, ago: string, target: string | null) => {
    const times = TIMES[count] ?? `${count} times`;
    const last = count === 1 ? ago : `the last time ${ago}`;
    return `${kind} ${times}, ${last}${target === null ? '' : `, in \`${target}\``}.`;
  },
  back: (isProgram: boolean, after: string) =>
    isProgram
      ? `It was started again by itself ${after} later.`
      : `The connection was made again by itself ${after} later.`,
  returning: (isProgram: boolean) =>
    isProgram
      ? 'It is being started again by itself.'
      : 'The connection is being made again by itself.',
  permission: (scopes: readonly string[]) => {
    if (scopes.length === 0) return 'A permission is missing';
    return scopes.length === 1
      ? `Permission ${scopes[0]} is missing`
      : `Permissions ${scopes.join(', ')} are missing`;
  },
  runAgain: 'Run again',
  setAndRun: 'Set it and run again',
  setAndConnect: 'Set it and connect',
  setAndRestart: 'Set it and restart',
  signInAndRun: 'Sign in for it and run again',
  signIn: 'Sign in for it',
  signingIn: 'Signing in…',
  messages: 'Show messages',
};

/** Values that a server needs, for the time that Sightglass runs. */
export const SESSION_VALUES = {
  meaning: 'Kept until you close Sightglass, for this server only. Never saved.',
  ofTried: 'Kept until you close Sightglass. It is written with the server if you save that.',
  connect: 'Connect',
  setAndConnect: 'Set for this session and connect',
  save: 'Save in its entry…',
};

/** The button that shows a file with its commas put right. */
export const REPAIR_FILE = 'Repair…';

/** The place in the user's own code. */
export const PLACE = {
  copy: (file: string, line: number) => `Copy ${file}:${line}`,
  copied: (place: string) => `Copied ${place}`,
};

/** Returns what a repair does, which is the title of the dialog that shows it. */
export const REPAIR_TITLE = (repair: Repair) => {
  switch (repair.kind) {
    case 'command':
    case 'shell':
    case 'address':
      return `Use ${visibleText(repair.to)}`;
    case 'scheme':
      return `Use ${repair.to}//`;
    case 'split':
      return 'Split the command';
    case 'certificate':
      return 'Accept this certificate';
    case 'variable':
      return `Save ${visibleText(repair.name)} in its entry`;
  }
};

/** Returns the title of the button that shows a repair. */
export const REPAIR_BUTTON = (repair: Repair) => `${REPAIR_TITLE(repair)}…`;

const TIMES: Readonly<Record<number, string>> = { 1: 'once', 2: 'twice' };
