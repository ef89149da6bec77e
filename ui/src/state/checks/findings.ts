import type { Finding, ListChange, ServerView, SurfacePlace } from '@/backend/bindings';
import { visibleText } from '@/lib/visible-text';
import { REMARKS } from './texts';

/** A finding about a server, or about an item of one of its lists. */
export type ServerFinding = Finding<SurfacePlace>;

/** Tokens of tool definitions above which they crowd a model's context. */
const MANY_TOKENS = 10_000;

/** Returns what the connection itself shows that other clients may trip over. */
export function remarksOn(
  { status: { stray } }: ServerView,
  lists: readonly ListChange[],
): ServerFinding[] {
  const tokens = lists.find(({ list }) => list === 'tools')?.tokens ?? 0;
  const unusable = lists.reduce((sum, { problems }) => sum + problems, 0);
  return [
    ...(stray
      ? [
          remark(
            'stdout',
            REMARKS.stdout(stray.lines, visibleText(stray.first)),
            REMARKS.stdoutMeaning,
          ),
        ]
      : []),
    ...(tokens > MANY_TOKENS
      ? [remark('tokens', REMARKS.tokens(tokens), REMARKS.tokensMeaning)]
      : []),
    ...(unusable > 0
      ? [remark('unusable', REMARKS.unusable(unusable), REMARKS.unusableMeaning)]
      : []),
    ...lists.flatMap(({ list, warning, state }) => [
      ...(warning === null ? [] : [remark('list-faults', REMARKS.warned(list), warning)]),
      ...(state.type === 'failed'
        ? [remark('list-incomplete', REMARKS.incomplete(list), state.message)]
        : []),
    ]),
  ];
}

/** Puts the findings of one rule together, in the order in which the rules come first. */
export function byRule(findings: readonly ServerFinding[]): readonly ServerFinding[][] {
  const groups = new Map<string, ServerFinding[]>();
  for (const finding of findings) {
    const group = groups.get(finding.rule);
    if (group) group.push(finding);
    else groups.set(finding.rule, [finding]);
  }
  return [...groups.values()];
}

function remark(rule: string, message: string, title: string): ServerFinding {
  const subject: SurfacePlace = { part: 'server', name: '', path: '' };
  const nothing = { clause: null, exchanges: [], evidence: [], duration: null };
  return { rule, title, verdict: 'warning', subject, message, ...nothing };
}
