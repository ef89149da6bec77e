import type {
  Draft,
  DraftCheck,
  DraftProblem,
  DraftSignIn,
  EraChoice,
  NamedText,
  RemoteTransport,
} from '@/backend/bindings';
import { readScopes } from '@/lib/scopes';
import { type CommandLine, splitCommandLine } from '../add/command-line';
import { INVALID } from './texts';

/** The form's fields. Both kinds of endpoint are kept, so that switching loses nothing. */
export interface Form {
  name: string;
  kind: 'stdio' | 'remote';
  command: string;
  arguments: string[];
  environment: NamedText[];
  workingDirectory: string;
  transport: RemoteTransport;
  url: string;
  headers: NamedText[];
  caFile: string;
  fingerprint: string;
  era: EraChoice;
  /** Seconds, as typed; empty where the usual limit holds. */
  startupLimit: string;
  toolLimit: string;
  /** Seconds by phase. */
  phaseLimits: NamedText[];
  /** The tools that the entry names; null while the form leaves that as it is. */
  tools: { enabled: string[]; disabled: string[] } | null;
  /** The sign-in of the entry; null while the form leaves that as it is. */
  signIn: SignInForm | null;
  /**
   * Variables of the environment that a draft of somebody else's may read; null for one of the
   * user's own, which may read all.
   */
  variables: readonly string[] | null;
}

/** The sign-in, as typed. What belongs to another way is kept, and not written. */
export interface SignInForm {
  way: SignInWay;
  clientId: string;
  clientMetadataUrl: string;
  /** Apart by spaces. */
  scopes: string;
  callbackPort: string;
  bearerVariable: string;
}

/** `auto`: as the server asks; `bearer`: with a fixed token; `off`: not at all. */
export type SignInWay = 'auto' | 'bearer' | 'off';

export type FormErrors = Partial<
  Record<
    'name' | 'command' | 'url' | 'startupLimit' | 'toolLimit' | 'callbackPort' | 'bearerVariable',
    string
  >
>;

export const NO_SIGN_IN: SignInForm = {
  way: 'auto',
  clientId: '',
  clientMetadataUrl: '',
  scopes: '',
  callbackPort: '',
  bearerVariable: '',
};

export const EMPTY: Form = {
  name: '',
  kind: 'stdio',
  command: '',
  arguments: [],
  environment: [],
  workingDirectory: '',
  transport: 'http',
  url: '',
  headers: [],
  caFile: '',
  fingerprint: '',
  era: 'auto',
  startupLimit: '',
  toolLimit: '',
  phaseLimits: [],
  tools: null,
  signIn: null,
  variables: null,
};

export function formOf(draft: Draft): Form {
  const { limits, tools, signIn } = draft;
  const base: Form = {
    ...EMPTY,
    name: draft.name,
    era: draft.era ?? 'auto',
    startupLimit: secondsOf(limits?.startup),
    toolLimit: secondsOf(limits?.tool),
    phaseLimits: (limits?.phases ?? []).map(({ phase, milliseconds }) => ({
      name: phase,
      text: secondsOf(milliseconds),
    })),
    tools: tools ? { enabled: tools.enabled ?? [], disabled: tools.disabled } : null,
    signIn: signIn
      ? {
          way: signIn.off ? 'off' : signIn.bearerVariable === null ? 'auto' : 'bearer',
          clientId: signIn.clientId ?? '',
          clientMetadataUrl: signIn.clientMetadataUrl ?? '',
          scopes: (signIn.scopes ?? []).join(' '),
          callbackPort: signIn.callbackPort === null ? '' : String(signIn.callbackPort),
          bearerVariable: signIn.bearerVariable ?? '',
        }
      : null,
    variables: draft.variables ?? null,
  };
  const { endpoint } = draft;
  return endpoint.type === 'stdio'
    ? {
        ...base,
        kind: 'stdio',
        command: endpoint.command,
        arguments: endpoint.arguments,
        environment: endpoint.environment,
        workingDirectory: endpoint.workingDirectory ?? '',
      }
    : {
        ...base,
        kind: 'remote',
        transport: endpoint.transport,
        url: endpoint.url,
        headers: endpoint.headers,
        caFile: endpoint.caFile ?? '',
        fingerprint: endpoint.fingerprint ?? '',
      };
}

const secondsOf = (milliseconds: number | null | undefined) =>
  milliseconds == null ? '' : String(milliseconds / 1000);

/** Milliseconds; nothing for what is no number of seconds. */
function millisecondsOf(seconds: string): number | null {
  const number = Number(seconds.trim());
  return seconds.trim() !== '' && number > 0 ? Math.round(number * 1000) : null;
}

const isSeconds = (text: string) => text.trim() === '' || millisecondsOf(text) !== null;

const named = (texts: readonly string[]) => texts.map((text) => text.trim()).filter(Boolean);

/** The draft that the form amounts to; rows without a name and a value are left out. */
export function draftOf(form: Form): Draft {
  const filled = (rows: NamedText[]) => rows.filter(({ name, text }) => name !== '' || text !== '');
  return {
    name: form.name.trim(),
    era: form.era,
    limits: {
      startup: millisecondsOf(form.startupLimit),
      tool: millisecondsOf(form.toolLimit),
      phases: form.phaseLimits.flatMap(({ name, text }) => {
        const milliseconds = millisecondsOf(text);
        return name.trim() === '' || milliseconds === null
          ? []
          : [{ phase: name.trim(), milliseconds }];
      }),
    },
    tools: form.tools && {
      enabled: named(form.tools.enabled).length > 0 ? named(form.tools.enabled) : null,
      disabled: named(form.tools.disabled),
    },
    signIn: form.kind === 'remote' ? signInOf(form.signIn) : null,
    variables: form.variables && [...form.variables],
    endpoint:
      form.kind === 'stdio'
        ? {
            type: 'stdio',
            command: form.command.trim(),
            arguments: form.arguments,
            environment: filled(form.environment),
            workingDirectory: form.workingDirectory.trim() || null,
          }
        : {
            type: 'remote',
            transport: form.transport,
            url: form.url.trim(),
            headers: filled(form.headers),
            caFile: form.caFile.trim() || null,
            fingerprint: form.fingerprint.trim() || null,
          },
  };
}

function signInOf(form: SignInForm | null): DraftSignIn | null {
  if (!form) return null;
  const isAuto = form.way === 'auto';
  const scopes = readScopes(form.scopes);
  const text = (value: string) => (isAuto && value.trim() !== '' ? value.trim() : null);
  return {
    off: form.way === 'off',
    clientId: text(form.clientId),
    clientMetadataUrl: text(form.clientMetadataUrl),
    scopes: isAuto && scopes.length > 0 ? scopes : null,
    callbackPort: isAuto ? portOf(form.callbackPort) : null,
    bearerVariable: form.way === 'bearer' ? form.bearerVariable.trim() || null : null,
  };
}

function portOf(text: string): number | null {
  const port = Number(text.trim());
  return text.trim() !== '' && Number.isInteger(port) && port > 0 && port < 65536 ? port : null;
}

/**
 * Returns the errors that the form alone can know, by field: what must not be empty, and texts that
 * are no numbers and so reach no draft. Everything else is checked by the backend alone.
 */
export function errorsOf(form: Form): FormErrors {
  const errors: FormErrors = {};
  const seconds = INVALID.seconds;
  if (form.name.trim() === '') errors.name = INVALID.name;
  if (!isSeconds(form.startupLimit)) errors.startupLimit = seconds;
  if (!isSeconds(form.toolLimit)) errors.toolLimit = seconds;
  if (form.kind === 'stdio') {
    if (form.command.trim() === '') errors.command = INVALID.command;
    return errors;
  }
  if (form.url.trim() === '') errors.url = INVALID.url;
  const { way, callbackPort, bearerVariable } = form.signIn ?? NO_SIGN_IN;
  if (way === 'auto' && callbackPort.trim() !== '' && portOf(callbackPort) === null) {
    errors.callbackPort = INVALID.port;
  }
  if (way === 'bearer' && bearerVariable.trim() === '') {
    errors.bearerVariable = INVALID.variable;
  }
  return errors;
}

/** Fields of a draft that keep the form from being saved while the backend finds them wrong. */
const CHECKED_FIELDS = ['url', 'signIn.clientMetadataUrl', 'signIn.bearerVariable'];

/** Tells whether the form can be saved, as far as is known: a plan still says what it cannot do. */
export function isComplete(form: Form, check: DraftCheck): boolean {
  return (
    Object.keys(errorsOf(form)).length === 0 &&
    !check.findings.some(
      ({ field, severity }) => severity === 'error' && CHECKED_FIELDS.includes(field),
    )
  );
}

/** Returns the finding of the backend on a field of the draft. */
export function findingOf(
  check: DraftCheck,
  field: string,
  severity: DraftProblem['severity'],
): string | undefined {
  return check.findings.find((one) => one.field === field && one.severity === severity)?.message;
}

/** Puts a pasted command line into the form. */
export function withCommandLine(form: Form, line: CommandLine): Form {
  return {
    ...form,
    kind: 'stdio',
    name: form.name || nameOf([line.command, ...line.arguments]),
    command: line.command,
    arguments: line.arguments,
    environment: [...form.environment, ...line.environment],
  };
}

/** Puts a pasted address into the form. */
export function withAddress(form: Form, url: string): Form {
  const transport = /^wss?:/i.test(url) ? 'webSocket' : 'http';
  return { ...form, kind: 'remote', transport, name: form.name || nameOfAddress(url), url };
}

function nameOfAddress(url: string): string {
  const labels = URL.canParse(url) ? new URL(url).hostname.split('.') : [];
  const telling = labels.filter((label) => !['www', 'mcp', 'api'].includes(label));
  return telling[0] ?? '';
}

/** A name taken from the package that a command line starts. */
function nameOf(commandLine: readonly string[]): string {
  const word = commandLine.find(
    (candidate) => /mcp|server/.test(candidate) && !candidate.startsWith('-'),
  );
  // A scope begins with an @, a version follows one.
  const last = word?.split('@').filter(Boolean)[0]?.split('/').at(-1);
  return (last ?? '').replace(/\.\w+$/, '').replace(/^(mcp-)?server-|-mcp(-server)?$|^mcp-/g, '');
}

/** Puts the words after the program of a command in front of its arguments. */
export function withCommandSplit(form: Form): Form {
  const line = splitCommandLine(form.command);
  return { ...withCommandLine(form, line), arguments: [...line.arguments, ...form.arguments] };
}
