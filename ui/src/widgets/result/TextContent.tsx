import { Suspense, useMemo, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { FrameId, PartView } from '@/backend/bindings';
import type { MenuViews } from '@/components/Menu';
import { useAsyncEffect } from '@/components/use-async-effect';
import { lazyComponent } from '@/lib/lazy-component';
import { delimiterOf, isJson, isMarkdown, isSvg } from '@/lib/mime';
import { readDelimited } from '@/lib/table/delimited';
import { readJsonTable } from '@/lib/table/json-table';
import type { Table } from '@/lib/table/table';
import { useSnapshot } from '@/state/snapshot';
import { ValueMenu } from '@/widgets/json-view/ValueMenu';
import { WrapToggle } from '@/widgets/line-view/WrapToggle';
import { TableView } from '@/widgets/table/TableView';
import { useExpectMenu } from './expect';
import { SvgText } from './MediaContent';
import { BlockHead, JsonPart, TextPart } from './PartContent';
import styles from './result.module.css';
import { CONTENT, RESULT } from './texts';

/** Loaded once it is needed. */
const MarkdownText = lazyComponent(() => import('./MarkdownText'), 'default');

type View = 'text' | 'json' | 'markdown' | 'image' | 'table';

interface Props {
  part: PartView;
  frame: FrameId | null;
  /** The name of the block: "text", the URI of a resource. */
  name: string;
  mimeType: string | null;
  fills: boolean;
  onSave(): void;
}

/** Text in the view that suits it, and the others to choose from. */
export function TextContent({ part, frame, name, mimeType, fills, onSave }: Props) {
  const prefersMarkdown = useSnapshot((state) => state.settings.markdown);
  const text = useTableText(part, frame, mimeType);
  const table = useMemo(() => tableOf(text, mimeType), [text, mimeType]);
  const views = useMemo(() => viewsOf(part, mimeType, table), [part, mimeType, table]);
  const [chosen, setChosen] = useState<View>();
  const expect = useExpectMenu(part.pointer);
  const preferred = preferredView(views, mimeType, prefersMarkdown);
  const view = chosen !== undefined && views.includes(chosen) ? chosen : preferred;
  return (
    <>
      <BlockHead
        name={name}
        detail={mimeType ?? ''}
        size={part.size ?? 0}
        views={views.length > 1 ? menuOf(name, views, view, setChosen) : undefined}
        onSave={onSave}
        save={RESULT.saveText}
      >
        {part.text === null && <WrapToggle isText />}
      </BlockHead>
      {view === 'table' && table && (
        <div className={fills ? styles.fills : styles.windowed}>
          <TableView table={table} name={name} />
        </div>
      )}
      {view === 'image' && <SvgText text={part.text ?? ''} />}
      {view === 'text' && part.text === null && (
        <TextPart part={part} frame={frame} label={name} fills={fills} />
      )}
      {part.text !== null && view !== 'table' && view !== 'image' && (
        <div className={styles.value}>
          {expect && (
            <span className={styles.expect}>
              <ValueMenu action={expect} path={[]} value={part.text} />
            </span>
          )}
          {view === 'json' && (
            <JsonPart part={part} frame={frame} label={CONTENT.asJson(name)} fills={fills} />
          )}
          {view === 'markdown' && (
            <Suspense>
              <MarkdownText text={part.text} />
            </Suspense>
          )}
          {view === 'text' && <TextPart part={part} frame={frame} label={name} fills={fills} />}
        </div>
      )}
    </>
  );
}

/** Returns the views of a block as its menu has them. */
function menuOf<V extends View>(
  name: string,
  views: readonly V[],
  shown: V,
  onView: (view: V) => void,
): MenuViews {
  const entries = views.map((id) => ({ id, title: CONTENT.views[id], run: () => onView(id) }));
  return { label: CONTENT.viewOf(name), entries, shown };
}

/** A larger text is not shown as a table. */
const MAX_TABLE_SIZE = 1024 * 1024;

/** The text of what may be a table: small texts are at hand, larger ones are read where their type says so. */
function useTableText(part: PartView, frame: FrameId | null, mimeType: string | null) {
  const backend = useBackend();
  const [read, setRead] = useState<string | null>(null);
  const { pointer, size, text } = part;
  const isWanted = text === null && delimiterOf(mimeType) !== undefined;
  useAsyncEffect(() => {
    setRead(null);
    if (!isWanted || frame === null || (size ?? 0) > MAX_TABLE_SIZE) return null;
    return {
      start: () => backend.getPayloadText({ frame, pointer, form: 'text' }),
      onValue: setRead,
    };
  }, [backend, frame, pointer, size, isWanted]);
  return text ?? read;
}

function tableOf(text: string | null, mimeType: string | null): Table | undefined {
  if (text === null || text === '') return undefined;
  const delimiter = delimiterOf(mimeType);
  return delimiter ? readDelimited(text, delimiter) : readJsonTable(text);
}

function viewsOf(part: PartView, mimeType: string | null, table: Table | undefined): View[] {
  const views: View[] = ['text'];
  if (part.text !== null) {
    if (isSvg(mimeType)) views.push('image');
    else if (looksLikeJson(part.text)) views.push('json');
    else if (!table) views.push('markdown');
  }
  if (table) views.push('table');
  return views;
}

function preferredView(views: View[], mimeType: string | null, prefersMarkdown: boolean): View {
  if (views.includes('image')) return 'image';
  if (views.includes('table') && delimiterOf(mimeType)) return 'table';
  if (views.includes('json') || isJson(mimeType)) return views.includes('json') ? 'json' : 'text';
  return views.includes('markdown') && (prefersMarkdown || isMarkdown(mimeType))
    ? 'markdown'
    : 'text';
}

/** Tells whether a text is a JSON object or array; a lone number or word is shown as text. */
function looksLikeJson(text: string): boolean {
  const start = text.trimStart()[0];
  return (start === '{' || start === '[') && isJson(text);
}

interface StructuredContentProps {
  part: PartView;
  frame: FrameId | null;
  detail: string;
  fills: boolean;
}

const NAME = 'structuredContent';

const VIEWS = ['table', 'json'] as const;

/** The structured content of a result: as a table where it is one, else as JSON. */
export function StructuredContent({ part, frame, detail, fills }: StructuredContentProps) {
  const { text } = part;
  const expect = useExpectMenu(part.pointer);
  const table = useMemo(() => (text === null ? undefined : readJsonTable(text)), [text]);
  const [chosen, setChosen] = useState<'json' | 'table'>();
  const view = table ? (chosen ?? 'table') : 'json';
  return (
    <>
      <BlockHead
        name={NAME}
        detail={detail}
        size={part.size ?? 0}
        views={table && menuOf(NAME, VIEWS, view, setChosen)}
      />
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
