import type {
  CallReport,
  ConfigurationView,
  ModelClientView,
  ResultLimits,
} from '@/backend/bindings';
import { clientOf } from '@/state/configuration';
import { OWN_LIMITS } from '@/state/model';

/** Bytes of a token, about, in English and in code. */
const BYTES_PER_TOKEN = 4;

/** Tokens up to which no limit is looked up: most results are short. */
const SHORT = 2_000;

/** The limit of a client that a result exceeds. */
export interface Exceeded {
  title: string;
  limits: ResultLimits;
  isCut: boolean;
}

/**
 * Estimates the tokens of what a tool answered: to count them takes long. A message of a prompt and
 * a resource that was read are under no limit.
 */
export function tokensAbout({ result }: CallReport): number {
  const sizes = (result?.blocks ?? []).map(({ body, role }) =>
    body.kind === 'text' && role === null ? body.text.size : 0,
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return Math.round(Math.max(bytes, result?.structured?.size ?? 0) / BYTES_PER_TOKEN);
}

export function isLongForClients(tokens: number): boolean {
  return tokens > SHORT;
}

/**
 * The clients found here whose limits a result exceeds. Where none with limits of its own is here,
 * Claude Code stands for them.
 */
export function exceededLimits(
  tokens: number,
  clients: readonly ModelClientView[],
  view: ConfigurationView,
): Exceeded[] {
  const limited = clients.filter(({ limits }) => limits.source !== OWN_LIMITS);
  const here = limited.filter(({ client }) => clientOf(view, client)?.found === true);
  const asked = here.length > 0 ? here : limited.filter(({ client }) => client === 'claude-code');
  return asked
    .filter(({ limits }) => tokens > limits.warning || tokens > (limits.cut ?? Infinity))
    .map(({ title, limits }) => ({
      title,
      limits,
      isCut: limits.cut !== null && tokens > limits.cut,
    }));
}
