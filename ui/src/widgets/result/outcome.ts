import type { CallReport, FailureReport, RequestEnd } from '@/backend/bindings';
import { formatDuration, formatSize } from '@/lib/format';

export type Tone = 'ok' | 'warn' | 'bad';

/** The outcome of a call: one line, and where it needs more, what happened and what to do. */
export interface OutcomeMessage {
  tone: Tone;
  glyph: string;
  title: string;
  explanation?: string;
}

/** Ends of a call without a response: mark, what came of it, and why where nothing says so. */
const WITHOUT_RESPONSE: Record<Exclude<RequestEnd, 'result' | 'error'>, Unanswered> = {
  cancelled: ['■', 'Cancelled', 'notifications/cancelled was sent. A late response is ignored.'],
  timedOut: [
    '▲',
    'Timed out',
    'No response came within the time limit for calls. If the work takes longer, raise the limit in the server’s entry.',
  ],
  connectionLost: [
    '✕',
    lostWords,
    'The connection ended before the response came. Overview says why. Connect again to repeat the call.',
  ],
  refused: ['✕', refusedWords, 'HTTP refused the request.'],
  tooLarge: [
    '▲',
    'Response too large',
    'The response is larger than the limit for messages. Raise the limit in Settings.',
  ],
};

type Unanswered = readonly [
  glyph: string,
  title: string | ((report: FailureReport | null) => string),
  explanation: string,
];

/** Codes of JSON-RPC 2.0 (section 5.1) and of MCP. */
const CODES: Record<string, string> = {
  '-32700': 'Parse error: the server could not read the message as JSON.',
  '-32600': 'Invalid request: the message is not a JSON-RPC request.',
  '-32601': 'Method not found: the server does not offer this method.',
  '-32602': 'Invalid params: the server does not accept these arguments.',
  '-32603': 'Internal error: something failed inside the server.',
  '-32002': 'Resource not found.',
  '-32042': 'The server asks for a URL elicitation first.',
};

export function outcomeOf({ request, result, error }: CallReport): OutcomeMessage {
  const waited = request.waited;
  const own = formatDuration(Math.max(0, request.duration - waited));
  // The server's time; what the user was awaited is none of its doing.
  const took = waited === 0 ? own : `${own} (and ${formatDuration(waited)} waiting for you)`;
  const figures = `${took} · ${formatSize(request.size)}`;
  if (request.end === 'error') {
    return {
      tone: 'bad',
      glyph: '✕',
      title: `JSON-RPC error ${error?.code ?? ''} in ${figures}`,
      explanation: CODES[error?.code ?? ''] ?? 'This code is the server’s own.',
    };
  }
  if (request.end !== 'result') {
    const [glyph, title, explanation] = WITHOUT_RESPONSE[request.end];
    const words = typeof title === 'string' ? title : title(request.failure);
    return {
      tone: request.end === 'cancelled' ? 'warn' : 'bad',
      glyph,
      title: `${words} after ${took}`,
      explanation: request.message ?? explanation,
    };
  }
  if (!result?.isError) return { tone: 'ok', glyph: '✓', title: `Done in ${figures}` };
  return {
    tone: 'bad',
    glyph: '✕',
    title: `Tool error in ${figures}`,
    explanation:
      'The tool ran and reported a failure (isError). A model sees this text and can react to it.',
  };
}

function lostWords(report: FailureReport | null): string {
  if (report?.failure.type !== 'exited') return 'Connection lost';
  return report.failure.code === 0 ? 'The server ended' : 'The server crashed';
}

function refusedWords(report: FailureReport | null): string {
  const failure = report?.failure;
  if (failure?.type === 'signInRequired') {
    return failure.status === 403 ? 'Permission missing' : 'Sign-in required';
  }
  return failure?.type === 'network' && failure.status !== null
    ? `Refused with HTTP ${failure.status}`
    : 'Refused';
}
