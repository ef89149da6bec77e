import { useMemo, useState } from 'react';
import type { FrameId, PartView } from '@/backend/bindings';
import { Segmented } from '@/components/Segmented';
import { readJsonTable } from '@/lib/table/json-table';
import { TableView } from '@/widgets/table/TableView';
import { BlockHead } from './BlockHead';
import { useExpectMenu } from './expect';
import { JsonPart } from './PartContent';
import styles from './result.module.css';
import { CONTENT } from './texts';

interface Props {
  part: PartView;
  frame: FrameId | null;
  detail: string;
  fills: boolean;
}

const NAME = 'structuredContent';

const VIEWS = [
  { value: 'table', label: CONTENT.views.table },
  { value: 'json', label: CONTENT.views.json },
] as const;

/** The structured content of a result: as a table where it is one, else as JSON. */
export function StructuredContent({ part, frame, detail, fills }: Props) {
  const { text } = part;
  const expect = useExpectMenu(part.pointer);
  const table = useMemo(() => (text === null ? undefined : readJsonTable(text)), [text]);
  const [chosen, setChosen] = useState<'json' | 'table'>();
  const view = table ? (chosen ?? 'table') : 'json';
  return (
    <>
      <BlockHead name={NAME} detail={detail} size={part.size ?? 0}>
        {table && (
          <Segmented
            label={CONTENT.viewOf(NAME)}
            segments={VIEWS}
            value={view}
            onChange={setChosen}
            className={styles.small ?? ''}
          />
        )}
      </BlockHead>
      {view === 'table' && table ? (
        <div className={fills ? styles.fills : styles.windowed}>
          <TableView table={table} name={NAME} />
        </div>
      ) : (
        <JsonPart
          part={part}
          frame={frame}
          label={CONTENT.structured}
          fills={fills}
          action={expect}
        />
      )}
    </>
  );
}
