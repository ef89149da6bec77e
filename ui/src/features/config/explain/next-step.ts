import type {
  ClientView,
  ConfigServerView,
  DefinitionState,
  ExplanationView,
  ServerView,
  Target,
} from '@/backend/bindings';
import { listOf } from '@/lib/format';

/** The one thing to do about a server, and why. */
export interface NextStep {
  /** The step in a sentence, before the button. */
  message: string;
  /** The title of the button; null where nothing is to be done here. */
  button: string | null;
  step:
    | { kind: 'none' }
    | { kind: 'text'; target: Target; line: number; column: number }
    | { kind: 'edit'; target: Target }
    | { kind: 'approve' }
    | { kind: 'enable'; target: Target }
    | { kind: 'reconnect' }
    | { kind: 'connect' }
    | { kind: 'overview' }
    | { kind: 'copy'; target: Target };
}

const NOTHING = { kind: 'none' } as const;

/**
 * Returns the next step: the first obstacle, in the order in which they stand in each other's way,
 * that keeps a server from being used.
 */
export function nextStep(
  client: ClientView,
  server: ConfigServerView,
  explanation: ExplanationView | null,
  connected: ServerView | undefined,
): NextStep {
  const target: Target = { client: client.client, scope: server.scope };
  const byState = stepOfState(server.state, target, server.name);
  if (byState) return byState;

  const unset = explanation?.variables.filter(({ origin }) => origin === 'unset') ?? [];
  if (unset.length > 0) {
    const names = [...new Set(unset.map(({ name }) => name))];
    return {
      message: `${listOf(names)} ${names.length === 1 ? 'has' : 'have'} no value. Set ${
        names.length === 1 ? 'it' : 'them'
      } in your login shell, or give a default with \${${names[0]}:-value}.`,
      button: 'Edit',
      step: { kind: 'edit', target },
    };
  }
  if (server.outdated) {
    return {
      message: 'It is connected with an entry that is no longer what the file says.',
      button: 'Reconnect',
      step: { kind: 'reconnect' },
    };
  }
  if (connected?.status.failure) {
    return {
      message: `The configuration is in order; the connection failed: ${connected.status.failure.reason}.`,
      button: 'Show what happened',
      step: { kind: 'overview' },
    };
  }
  if (connected?.status.phase === 'disconnected') {
    return {
      message: 'Nothing stands in its way.',
      button: 'Connect',
      step: { kind: 'connect' },
    };
  }
  if (connected)
    return { message: 'It is connected as the file says.', button: null, step: NOTHING };
  return {
    message: `${client.title} uses it. To look into it here, copy it to a file of .mcp.json.`,
    button: 'Copy it there',
    step: { kind: 'copy', target },
  };
}

function stepOfState(state: DefinitionState, target: Target, name: string): NextStep | null {
  switch (state.kind) {
    case 'invalid':
      return {
        message: `Mend line ${state.line}, column ${state.column}: ${state.message}`,
        button: 'Open at this line',
        step: { kind: 'text', target, line: state.line, column: state.column },
      };
    case 'waiting':
      if (target.client !== 'mcp-json') return answerOf(target, name);
      return {
        message: `Read what ${name} would start, then approve it for this project.`,
        button: null,
        step: { kind: 'approve' },
      };
    case 'refused':
      return {
        message:
          target.client === 'claude-code'
            ? 'The rule stands in the settings of Claude Code, or whoever manages this computer wrote it.'
            : 'Nothing in these files changes that. Ask whoever manages this computer.',
        button: null,
        step: NOTHING,
      };
    case 'disabled':
      return {
        message: 'It is turned off in its file.',
        button: 'Enable',
        step: { kind: 'enable', target },
      };
    default:
      return null;
  }
}

/** Another client asks the user itself; one of them keeps the answers where they can be given here. */
function answerOf(target: Target, name: string): NextStep {
  if (target.client === 'claude-code') {
    return {
      message: `Claude Code uses it once you trust this project there and approve ${name}.`,
      button: 'Approve',
      step: { kind: 'enable', target },
    };
  }
  return {
    message:
      "It counts once you trust this project in the client itself; that is the client's to ask.",
    button: null,
    step: NOTHING,
  };
}
