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

/** Says something, with nothing to do here. */
const say = (message: string, kind: 'none' | 'approve' = 'none'): NextStep => ({
  message,
  button: null,
  step: { kind },
});

const offer = (message: string, button: string, step: NextStep['step']): NextStep => ({
  message,
  button,
  step,
});

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
    return offer(NEXT.unset(names), NEXT.edit, { kind: 'edit', target });
  }
  if (server.outdated) return offer(NEXT.outdated, NEXT.reconnect, { kind: 'reconnect' });
  if (connected?.status.failure) {
    const { reason } = connected.status.failure;
    return offer(NEXT.failed(reason), NEXT.showFailure, { kind: 'overview' });
  }
  if (connected?.status.phase === 'disconnected') {
    return offer(NEXT.ready, NEXT.connect, { kind: 'connect' });
  }
  if (connected) return say(NEXT.connected);
  return offer(NEXT.usedBy(client.title), NEXT.copy, { kind: 'copy', target });
}

function stepOfState(state: DefinitionState, target: Target, name: string): NextStep | null {
  switch (state.type) {
    case 'invalid': {
      const { line, column, message } = state;
      const step = { kind: 'text', target, line, column } as const;
      return offer(NEXT.mend(line, column, message), NEXT.openHere, step);
    }
    case 'waiting':
      if (target.client !== 'mcp-json') return answerOf(target, name);
      return say(NEXT.approve(name), 'approve');
    case 'refused':
      return say(target.client === 'claude-code' ? NEXT.refusedByClaude : NEXT.refused);
    case 'disabled':
      return offer(NEXT.disabled, NEXT.enable, { kind: 'enable', target });
    default:
      return null;
  }
}

/** Another client asks the user itself; one of them keeps the answers where they can be given here. */
function answerOf(target: Target, name: string): NextStep {
  return target.client === 'claude-code'
    ? offer(NEXT.trustInClaude(name), NEXT.approveThere, { kind: 'enable', target })
    : say(NEXT.trustInClient);
}
