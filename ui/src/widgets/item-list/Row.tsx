import { ChevronDown, ChevronRight, TriangleAlert } from 'lucide-react';
import { memo } from 'react';
import type { ItemGroup, ItemRow } from '@/backend/bindings';
import { Highlight } from '@/components/Highlight';
import { formatCount } from '@/lib/format';
import { repeatsName } from '@/lib/same-name';
import { visibleLines, visibleText } from '@/lib/visible-text';
import styles from './item-list.module.css';
import { groupLabel, HINTS, LIST } from './texts';

interface RowProps {
  id: string;
  line: number;
  index: number;
  count: number;
  top: number;
  row: ItemRow | undefined;
  mark: string | undefined;
  /** The search that the rows match. */
  search: string;
  /** The beginning of the name that is told once for many rows. */
  prefix: string;
  /** True when it is left out of the row; else it only stands back. */
  isPrefixHidden: boolean;
  isSelected: boolean;
  isActive: boolean;
}

/** A row. What it is given decides what it shows, so it is drawn again only when that differs. */
export const Row = memo(function Row(props: RowProps) {
  const { id, line, index, count, top, row, isSelected, isActive } = props;
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      aria-setsize={count}
      aria-posinset={index + 1}
      data-line={line}
      data-active={isActive || undefined}
      className={styles.row}
      style={{ transform: `translateY(${top}px)` }}
      title={
        row &&
        [row.name, row.title, row.description, ...row.hints.map((hint) => HINTS[hint].meaning)]
          .filter((text) => text !== null && text !== '')
          .map((text) => visibleLines(text ?? ''))
          .join('\n')
      }
    >
      {row && <RowContent {...props} row={row} />}
    </div>
  );
});

function RowContent({ row, mark, search, prefix, isPrefixHidden }: RowProps & { row: ItemRow }) {
  const title = row.title !== null && repeatsName(row.title, row.name) ? null : row.title;
  const about = [title, row.description].filter(Boolean).join(' · ');
  return (
    <>
      <bdi className={styles.name}>
        <Name name={row.name} search={search} prefix={prefix} isPrefixHidden={isPrefixHidden} />
      </bdi>
      <span className={styles.description} dir="auto">
        <Highlight text={visibleText(about)} search={search} isName={false} />
      </span>
      <span className={styles.marks}>
        {row.hints.includes('destructive') && (
          <span role="img" aria-label={HINTS.destructive.name} className="flex warn">
            <TriangleAlert size={12} />
          </span>
        )}
        {row.problem && (
          <span className="flex-none text-small warn" title={row.problem}>
            {LIST.problem}
          </span>
        )}
        {row.fresh && (
          <span
            className={styles.fresh}
            data-changes={row.changed || undefined}
            title={row.changed ? LIST.changedMeaning : undefined}
          >
            {row.changed ? LIST.changed : LIST.fresh}
          </span>
        )}
        {mark && <span className="flex-none text-small busy">{mark}</span>}
      </span>
    </>
  );
}

type NameProps = Pick<RowProps, 'search' | 'prefix' | 'isPrefixHidden'> & { name: string };

function Name({ name, search, prefix, isPrefixHidden }: NameProps) {
  if (prefix === '' || !name.startsWith(prefix)) {
    return <Highlight text={visibleText(name)} search={search} />;
  }
  return (
    <>
      <span className={isPrefixHidden ? styles.hiddenPrefix : styles.prefix}>
        {visibleText(prefix)}
      </span>
      {visibleText(name.slice(prefix.length))}
    </>
  );
}

interface HeadingProps {
  id: string;
  line: number;
  top: number;
  group: ItemGroup;
  isFolded: boolean;
  isActive: boolean;
}

/** The heading of a group. A listbox holds options and groups, so it is a group, named by its state. */
export const Heading = memo(function Heading({ id, line, top, group, ...is }: HeadingProps) {
  const Chevron = is.isFolded ? ChevronRight : ChevronDown;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form.
    <div
      id={id}
      role="group"
      aria-label={groupLabel(group, is.isFolded)}
      data-line={line}
      data-active={is.isActive || undefined}
      className={styles.heading}
      style={{ transform: `translateY(${top}px)` }}
    >
      <Chevron size={12} aria-hidden="true" />
      <bdi>{visibleText(group.prefix)}</bdi>
      <span className={styles.groupCount}>{formatCount(group.count)}</span>
    </div>
  );
});
