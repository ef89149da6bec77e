import type { ComponentProps, ReactNode } from 'react';
import { ExchangePane } from '../detail/ExchangePane';
import type { DrawerView } from '../filter/selection';
import { TrafficTable } from '../messages/TrafficTable';
import { OperationTable } from '../operations/OperationCells';
import { TimelinePane } from '../timeline/TimelinePane';
import { DetailSplit } from './DetailSplit';

type TableProps = ComponentProps<typeof TrafficTable>;

interface DrawerPanelProps extends Pick<TableProps, 'rows' | 'onFold'> {
  view: DrawerView;
  operations: ComponentProps<typeof OperationTable>['rows'];
  /** Properties that every view has. */
  common: Omit<TableProps, 'rows' | 'onFold'>;
  /** The row that is shown in detail; null for none. */
  detail: ComponentProps<typeof ExchangePane> | null;
  isWide: boolean;
}

/** The rows of an open drawer, and one of them in detail. */
export function DrawerPanel(props: DrawerPanelProps) {
  const { view, rows, operations, common, onFold, detail, isWide } = props;
  const tables: Readonly<Record<DrawerView, () => ReactNode>> = {
    calls: () => <OperationTable rows={operations} {...common} />,
    log: () => <TrafficTable key="log" rows={rows} {...common} />,
    timeline: () => <TimelinePane rows={operations.list} {...common} />,
    raw: () => <TrafficTable key="raw" rows={rows} onFold={onFold} {...common} />,
  };
  return (
    <DetailSplit
      table={tables[view]()}
      detail={detail !== null && <ExchangePane {...detail} />}
      isWide={isWide}
    />
  );
}
