import type { ItemRow, ListChange, ServerView } from '@/backend/bindings';
import { formatQuantity } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';

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
      title: `${formatQuantity(stray.lines, 'line')} on stdout ${stray.lines === 1 ? 'is' : 'are'} not JSON-RPC: “${visibleText(stray.first)}”`,
      detail: 'Other clients may refuse this server. Log to stderr instead.',
    });
  }
  const bare = tools.filter(({ description }) => (description ?? '').trim() === '');
  if (bare.length > 0) {
    const names = bare.slice(0, 3).map(({ name }) => visibleText(name));
    findings.push({
      id: 'descriptions',
      title: `${formatQuantity(bare.length, 'tool')} without a description`,
      detail: `${names.join(', ')}${bare.length > names.length ? ' and others' : ''}: a model cannot tell what they do.`,
    });
  }
  const unusable = lists.reduce((sum, { problems }) => sum + problems, 0);
  if (unusable > 0) {
    findings.push({
      id: 'unusable',
      title: `${formatQuantity(unusable, 'item')} of the lists cannot be used`,
      detail: 'They are marked in their lists.',
    });
  }
  for (const { list, state } of lists) {
    if (state.state !== 'failed') continue;
    findings.push({
      id: `failed-${list}`,
      title: `The list of ${list.replace('_', ' ')} is incomplete`,
      detail: visibleText(state.message),
    });
  }
  return findings;
}

/** The verdict in one line. */
export function verdictOf(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'Works.';
  const count =
    findings.length === 1 ? 'One thing' : `${NUMBERS[findings.length] ?? findings.length} things`;
  return `Works. ${count} other clients may trip over:`;
}

const NUMBERS: Readonly<Record<number, string>> = {
  2: 'Two',
  3: 'Three',
  4: 'Four',
  5: 'Five',
  6: 'Six',
};
