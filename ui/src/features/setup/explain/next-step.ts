import type {
  ClientView,
  ConfigServerView,
  DefinitionState,
  ExplanationView,
  ServerView,
  Target,
} from '@/backend/bindings';
import { NEXT } from './texts';

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
      message: NEXT.unset(names),
      button: NEXT.edit,
      step: { kind: 'edit', target },
    };
  }
  if (server.outdated) {
    return {
      message: NEXT.outdated,
      button: NEXT.reconnect,
      step: { kind: 'reconnect' },
    };
  }
  if (connected?.status.failure) {
    return {
      message: NEXT.failed(connected.status.failure.reason),
      button: NEXT.showFailure,
      step: { kind: 'overview' },
    };
  }
  if (connected?.status.phase === 'disconnected') {
    return {
      message: NEXT.ready,
      button: NEXT.connect,
      step: { kind: 'connect' },
    };
  }
  if (connected) return { message: NEXT.connected, button: null, step: NOTHING };
  return {
    message: NEXT.usedBy(client.title),
    button: NEXT.copy,
    step: { kind: 'copy', target },
  };
}

function stepOfState(state: DefinitionState, target: Target, name: string): NextStep | null {
  switch (state.type) {
    case 'invalid':
      return {
        message: NEXT.mend(state.line, state.column, state.message),
        button: NEXT.openHere,
        step: { kind: 'text', target, line: state.line, column: state.column },
      };
    case 'waiting':
      if (target.client !== 'mcp-json') return answerOf(target, name);
      return {
        message: NEXT.approve(name),
        button: null,
        step: { kind: 'approve' },
      };
    case 'refused':
      return {
        message: target.client === 'claude-code' ? NEXT.refusedByClaude : NEXT.refused,
        button: null,
        step: NOTHING,
      };
    case 'disabled':
      return {
        message: NEXT.disabled,
        button: NEXT.enable,
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
      message: NEXT.trustInClaude(name),
      button: NEXT.approveThere,
      step: { kind: 'enable', target },
    };
  }
  return {
    message: NEXT.trustInClient,
    button: null,
    step: NOTHING,
  };
}
