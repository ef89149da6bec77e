import type { NamingScheme, ServerId, ServerView, TokenTableView } from '@/backend/bindings';
import { formatCount } from '@/lib/format';
import type { CountedModel } from './in-clients';

/** Tools together, and their tokens as the client sends them. */
export interface Sum {
  readonly tools: number;
  readonly tokens: number;
}

/** Cost of the tools of one server. */
export interface ServerSum extends Sum {
  readonly id: ServerId;
  readonly name: string;
}

/** The sums of all servers in one pass: a list has ten thousand tools and more. */
export function serverSums(
  { tools, servers: asked }: Pick<TokenTableView, 'tools' | 'servers'>,
  servers: readonly ServerView[],
): readonly ServerSum[] {
  const sums = new Map<ServerId, { tools: number; tokens: number }>();
  for (const [place, tokens] of tools.tokens.entries()) {
    const id = asked[tools.server[place] ?? -1];
    if (id === undefined) continue;
    const sum = sums.get(id) ?? { tools: 0, tokens: 0 };
    sum.tools += 1;
    sum.tokens += tokens;
    sums.set(id, sum);
  }
  return servers
    .flatMap(({ id, name }) => {
      const sum = sums.get(id);
      return sum ? [{ id, name, ...sum }] : [];
    })
    .toSorted(byTokens);
}

export function byTokens(one: Sum, other: Sum): number {
  return other.tokens - one.tokens;
}

/** A number of tokens, marked where it is an estimate. */
export function tokenText(tokens: number, isExact: boolean): string {
  return `${isExact ? '' : '≈'}${formatCount(tokens)}`;
}

/** The models that a client usually has. */
export function usualModel(scheme: NamingScheme): CountedModel {
  switch (scheme) {
    case 'claudeCode':
    case 'chimera':
    case 'caliban':
      return 'claude';
    case 'geminiCli':
      return 'gemini';
    default:
      return 'gpt-5';
  }
}
