import type { ItemRow, ListChange, ServerView } from '@/backend/bindings';
import { visibleText } from '@/lib/visible-text';
import { VERDICT } from './texts';

/** Tokens of tool definitions above which they crowd a model's context. */
const MANY_TOKENS = 10_000;

/** Something about a server that works that other clients may trip over. */
export interface Finding {
  id: string;
  title: string;
  /** Evidence, or consequence. */
  detail: string;
}

/** Returns what is worth a remark about a server that is connected. */
export function findingsOf(
  { status }: ServerView,
  tools: readonly ItemRow[],
  lists: readonly ListChange[],
): Finding[] {
  const findings: Finding[] = [];
  const { stray } = status;
  if (stray) {
    findings.push({
      id: 'stdout',
      title: VERDICT.stdout(stray.lines, visibleText(stray.first)),
      detail: VERDICT.stdoutMeaning,
    });
  }
  const bare = tools.filter(({ description }) => (description ?? '').trim() === '');
  if (bare.length > 0) {
    const names = bare.slice(0, 3).map(({ name }) => visibleText(name));
    findings.push({
      id: 'descriptions',
      title: VERDICT.bare(bare.length),
      detail: VERDICT.bareMeaning(names, bare.length > names.length),
    });
  }
  const tokens = lists.find(({ list }) => list === 'tools')?.tokens ?? 0;
  if (tokens > MANY_TOKENS) {
    findings.push({
      id: 'tokens',
      title: VERDICT.tokens(tokens),
      detail: VERDICT.tokensMeaning,
    });
  }
  const unusable = lists.reduce((sum, { problems }) => sum + problems, 0);
  if (unusable > 0) {
    findings.push({
      id: 'unusable',
      title: VERDICT.unusable(unusable),
      detail: VERDICT.unusableMeaning,
    });
  }
  for (const { list, warning } of lists) {
    if (warning === null) continue;
    findings.push({
      id: `warning-${list}`,
      title: VERDICT.warned(list),
      detail: visibleText(warning),
    });
  }
  for (const { list, state } of lists) {
    if (state.type !== 'failed') continue;
    findings.push({
      id: `failed-${list}`,
      title: VERDICT.incomplete(list),
      detail: visibleText(state.message),
    });
  }
  return findings;
}

/** The verdict in one line; `loss` says that the connection was lost before. */
export function verdictOf(findings: readonly Finding[], loss: string | null): string {
  return [
    'Works.',
    ...(loss === null ? [] : [loss]),
    ...(findings.length === 0 ? [] : [VERDICT.findings(findings.length)]),
  ].join(' ');
}
