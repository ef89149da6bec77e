import type { PermissionRule } from '@/backend/bindings';
import type { Column } from '@/components/virtual-table/columns';
import { cellText } from '../cells';
import styles from '../clients.module.css';
import { textColumn } from '../RowTable';
import { StatusMark } from '../StatusMark';
import { EFFECTS, RULES } from '../texts';

/** A rule with its place in the list. */
export interface RuleRow {
  index: number;
  rule: PermissionRule;
}

export function ruleRows(rules: readonly PermissionRule[]): readonly RuleRow[] {
  return rules.map((rule, index) => ({ index, rule }));
}

/** The name of a file, which is enough to know it by; the whole path is its tooltip. */
function shortPath(path: string): string {
  return path.split(/[\\/]/).slice(-2).join('/');
}

export const RULE_COLUMNS: readonly Column<RuleRow, undefined>[] = [
  {
    id: 'effect',
    title: RULES.effect,
    width: 84,
    cell: ({ rule }) => <StatusMark status={EFFECTS[rule.effect]} />,
  },
  textColumn({ id: 'rule', title: RULES.rule, width: 240, takesRest: true }, ({ rule }) =>
    rule.arguments === null ? rule.text : `${rule.text} · ${rule.arguments}`,
  ),
  {
    id: 'level',
    title: RULES.level,
    width: 120,
    yields: 1,
    cell: ({ rule }) =>
      rule.server === null ? (
        <span className={styles.plain}>{RULES.global}</span>
      ) : (
        cellText(rule.server)
      ),
  },
  {
    id: 'place',
    title: RULES.place,
    width: 230,
    cell: ({ rule: { place } }) => (
      <span title={RULES.line(place.file, place.line)}>
        {cellText(RULES.line(shortPath(place.file), place.line))}
      </span>
    ),
  },
];
