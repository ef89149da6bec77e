import type { Column } from '@/components/virtual-table/columns';
import { visibleText } from '@/lib/visible-text';
import { DirectionCell, MomentCell, ServerCell, type TrafficFrame } from '../messages/TrafficCells';
import { BookmarkMark, BookmarkNote } from '../rows/BookmarkMark';
import { COLUMNS } from '../texts';
import {
  OperationBar,
  OperationDuration,
  OperationMethod,
  OperationParts,
  OperationStatus,
} from './OperationCells';
import type { OperationLine } from './operation-rows';
import { OPERATIONS } from './operation-texts';

/** The columns of operations, of which a narrow window shows fewer. */
export const OPERATION_COLUMNS: readonly Column<OperationLine, TrafficFrame>[] = [
  { id: 'number', title: COLUMNS.number, width: 68, yields: 3, cell: ({ row }) => row.id },
  {
    id: 'direction',
    title: '',
    label: COLUMNS.direction,
    width: 24,
    isFixed: true,
    cell: ({ row }) => <DirectionCell row={row} />,
  },
  {
    id: 'time',
    title: COLUMNS.time,
    width: 116,
    yields: 5,
    cell: ({ row }, frame) => <MomentCell row={row} now={frame.now} />,
  },
  {
    id: 'server',
    title: COLUMNS.server,
    width: 110,
    yields: 4,
    cell: ({ row, node }) => (node ? null : <ServerCell row={row} />),
  },
  {
    id: 'method',
    title: OPERATIONS.method,
    width: 210,
    cell: (line) => <OperationMethod line={line} />,
  },
  {
    id: 'target',
    title: COLUMNS.target,
    width: 110,
    takesRest: true,
    cell: ({ row }) => {
      const target = visibleText(row.target);
      return (
        <span title={target}>
          <BookmarkMark note={row.bookmark} />
          {target}
          <BookmarkNote note={row.bookmark} />
        </span>
      );
    },
  },
  {
    id: 'parts',
    title: OPERATIONS.parts,
    width: 160,
    yields: 1,
    cell: (line) => <OperationParts line={line} />,
  },
  {
    id: 'status',
    title: COLUMNS.status,
    width: 104,
    cell: (line) => <OperationStatus line={line} />,
  },
  {
    id: 'duration',
    title: COLUMNS.duration,
    width: 84,
    align: 'end',
    yields: 2,
    cell: (line, frame) => <OperationDuration line={line} now={frame.now} />,
  },
  {
    id: 'waterfall',
    title: COLUMNS.waterfall,
    indent: 14,
    width: 230,
    yields: 6,
    cell: (line, frame) => <OperationBar line={line} frame={frame} />,
  },
];
