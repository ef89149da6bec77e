import { ChevronRight } from 'lucide-react';
import { formatTokens } from '@/lib/format';
import { useInClients } from '@/state/clients/in-clients';
import { tokenText } from '@/state/clients/token-sums';
import { useSetupView } from '@/state/setup/setup-view';
import styles from './matrix.module.css';
import type { MatrixColumn } from './matrix-rows';
import { MATRIX } from './texts';
import type { ClientTokens } from './use-tokens';

interface ColumnHeadProps {
  column: MatrixColumn;
  /** The place of the control, for the arrow keys. */
  cell: string;
  isCurrent: boolean;
  tokens: ClientTokens | undefined;
}

/** A client: the way to its files, where its servers come from, and what they cost its model. */
export function ColumnHead({ column, cell, isCurrent, tokens }: ColumnHeadProps) {
  const openClient = useSetupView((state) => state.openClient);
  const { client, title, view } = column;
  return (
    <th scope="col">
      <button
        type="button"
        data-cell={cell}
        tabIndex={isCurrent ? 0 : -1}
        className={styles.client}
        title={MATRIX.openHint(title)}
        onClick={() => openClient(client, 'files')}
      >
        {title}
        <ChevronRight size={12} aria-hidden="true" />
      </button>
      <small className={styles.remark} title={view.precedence}>
        {placesText(column)}
      </small>
      {tokens && (
        <button
          type="button"
          tabIndex={-1}
          className={styles.tokens}
          title={`${MATRIX.tokens(tokenText(tokens.total, false))}. ${MATRIX.counted(tokens.counted, tokens.on)} ${MATRIX.showCost}`}
          onClick={() => {
            useInClients.getState().showSection('cost');
            openClient(client, 'gets');
          }}
        >
          {MATRIX.tokens(formatTokens(tokens.total))}
        </button>
      )}
    </th>
  );
}

/** Names what a client reads: one file by its path, several by their number. */
function placesText({ view, target }: MatrixColumn): string {
  if (view.expresses.transports.every((transport) => transport === 'stdio')) {
    return MATRIX.programsOnly;
  }
  const read = view.files.filter(({ state }) => state !== 'missing');
  if (read.length > 1) return MATRIX.places(read.length);
  const [file] = read.length > 0 ? read : view.files.filter(({ scope }) => scope === target?.scope);
  return file?.label ?? '';
}
