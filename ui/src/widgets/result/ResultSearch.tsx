import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { CallReport, PayloadMatches, PayloadQuery } from '@/backend/bindings';
import { IconButton } from '@/components/Button';
import { SearchField } from '@/components/SearchField';
import { useAsyncEffect } from '@/components/use-async-effect';
import { showError } from '@/state/notices';
import { LineView } from '@/widgets/line-view/LineView';
import { WrapToggle } from '@/widgets/line-view/WrapToggle';
import styles from './result.module.css';
import { countText, SEARCH } from './texts';

/** Milliseconds that typing rests before it is searched for. */
const TYPING_DELAY = 120;

interface Found {
  text: string;
  matches: PayloadMatches;
}

/** The text of a result and its matches: the record searches, so that it may be of any length. */
export function ResultSearch({ query, onClose }: { query: PayloadQuery; onClose(): void }) {
  const backend = useBackend();
  const [text, setText] = useState('');
  const [found, setFound] = useState<Found>();
  const [index, setIndex] = useState(0);
  const { frame, pointer, form } = query;
  useAsyncEffect(() => {
    if (text === '') {
      setFound(undefined);
      return null;
    }
    return {
      start: () => backend.searchPayload({ frame, pointer, form }, text),
      onValue: (matches) => {
        setFound({ text, matches });
        setIndex(0);
      },
      onError: showError,
      delay: TYPING_DELAY,
    };
  }, [backend, frame, pointer, form, text]);

  const lines = found?.matches.lines ?? [];
  const line = lines[index];
  const move = (step: number) => {
    if (lines.length > 0) setIndex((index + step + lines.length) % lines.length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
      move(event.shiftKey ? -1 : 1);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isShown = found !== undefined && found.text === text;
  return (
    <div className={styles.single} onKeyDownCapture={onKeyDown}>
      <div className={styles.search}>
        <SearchField label={SEARCH.field} value={text} onChange={setText} autoFocus />
        <span role="status" className="pad-x-3 pad-y-0 nowrap figures remark">
          {isShown && (line === undefined ? SEARCH.none : countText(index, found.matches.total))}
        </span>
        <IconButton
          icon={ChevronUp}
          label={SEARCH.previous}
          shortcut="shift+enter"
          isDisabled={lines.length === 0}
          onPress={() => move(-1)}
        />
        <IconButton
          icon={ChevronDown}
          label={SEARCH.next}
          shortcut="enter"
          isDisabled={lines.length === 0}
          onPress={() => move(1)}
        />
        <WrapToggle isText={form === 'text'} />
        <IconButton icon={X} label={SEARCH.close} shortcut="escape" onPress={onClose} />
      </div>
      <div className={styles.fills}>
        <LineView
          query={query}
          label={SEARCH.view}
          find={{
            text: found?.text ?? '',
            line,
            ordinal: line === undefined ? 0 : index - lines.indexOf(line),
          }}
        />
      </div>
    </div>
  );
}

/** Returns the text to search in: the message, the one part that there is, or the whole result. */
export function searchedPart(
  tab: 'result' | 'raw' | 'request',
  { request, result, error }: CallReport,
): PayloadQuery | null {
  const frame = tab === 'request' ? request.requestFrame : request.responseFrame;
  if (frame === null) return null;
  if (tab !== 'result') return { frame, pointer: '', form: 'pretty' };
  const texts = (result?.blocks ?? []).flatMap(({ body }) =>
    body.type === 'text' || body.type === 'textResource' ? [body.text] : [],
  );
  const [only] = texts;
  if (only && result?.blocks.length === 1 && !result.structured) {
    return { frame, pointer: only.pointer, form: 'text' };
  }
  if (result?.structured) return { frame, pointer: result.structured.pointer, form: 'pretty' };
  return { frame, pointer: error ? '/error' : '/result', form: 'pretty' };
}
