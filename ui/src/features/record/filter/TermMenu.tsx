import { useRef } from 'react';
import type { ExchangeRow } from '@/backend/bindings';
import { MenuList } from '@/components/Menu';
import type { ExportChoice } from '@/state/record/exports';
import { useRowCommands } from '../detail/row-commands';
import { BOOKMARK, EXPORTS, FILTER } from '../texts';

/** The cell whose menu is open. */
export interface MenuPlace {
  readonly at: HTMLElement;
  readonly term: string;
  readonly row: ExchangeRow;
}

interface TermMenuProps extends MenuPlace {
  readonly onTerm: (term: string) => void;
  /** Null where no bookmark can be set. */
  readonly onBookmark: ((row: ExchangeRow) => void) | null;
  /** Null for rows that are a file already. */
  readonly onExport: ((chosen: ExportChoice, row: ExchangeRow) => void) | null;
  readonly onClose: () => void;
}

/** Menu of one cell: what to filter by its value, and what to do with its row. */
export function TermMenu(props: TermMenuProps) {
  const { at, term, row, onTerm, onBookmark, onExport, onClose } = props;
  const trigger = useRef(at);
  const { requests, copies } = useRowCommands(row);
  return (
    <MenuList
      label={FILTER.byTerm(term)}
      triggerRef={trigger}
      onClose={onClose}
      groups={[
        [
          { id: 'only', title: FILTER.only(term), run: () => onTerm(term) },
          { id: 'hide', title: FILTER.hide, run: () => onTerm(`-${term}`) },
        ],
        ...(requests.length > 0 ? [requests] : []),
        copies,
        ...(onBookmark === null
          ? []
          : [
              [
                {
                  id: 'bookmark',
                  title: row.bookmark === null ? BOOKMARK.add : BOOKMARK.remove,
                  run: () => onBookmark(row),
                },
              ],
            ]),
        ...(onExport === null
          ? []
          : [
              [
                { id: 'export', title: EXPORTS.row, run: () => onExport('row', row) },
                {
                  id: 'export-connection',
                  title: EXPORTS.connection,
                  run: () => onExport('connection', row),
                },
              ],
            ]),
      ]}
    />
  );
}
