import { ChevronDown } from 'lucide-react';
import type { RefObject } from 'react';
import { useBackend } from '@/backend/backend';
import type { CallReport, FrameId } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Menu, type MenuEntry } from '@/components/Menu';
import { type ActionId, useAction } from '@/state/actions';
import { showError, showNote } from '@/state/notices';
import { type AnsweredCall, saveCall } from '@/state/tests/save-request';
import { COPY, RESULT, RUN, SEARCH } from './texts';

const VIEWS = ['result', 'raw', 'request'] as const;

export type ResultView = (typeof VIEWS)[number];

/** An entry that the palette has too. */
type Entry = MenuEntry & { id: ActionId };

interface Props {
  frameRef: RefObject<HTMLElement | null>;
  report: CallReport | undefined;
  view: ResultView;
  onView(view: ResultView): void;
  /** Absent where there is nothing to search. */
  onSearch: (() => void) | undefined;
  /** More that can be copied. */
  copies: readonly MenuEntry[] | undefined;
  onSave(): void;
  /** The call that a test can be made of. */
  call: AnsweredCall | null;
}

/** The view that is shown, and behind it the others, and below them all that can be done with the result. */
export function ResultMenu(props: Props) {
  const { frameRef, report, view, onView, onSearch, copies = [], onSave, call } = props;
  const backend = useBackend();
  const copy = async (what: string, text: () => Promise<string> | string) => {
    try {
      await navigator.clipboard.writeText(await text());
      showNote(COPY.copied(what));
    } catch (reason) {
      showError(reason);
    }
  };
  const { responseFrame: response = null, requestFrame: request = null } = report?.request ?? {};
  const texts = (report?.result?.blocks ?? []).flatMap(({ body }) =>
    body.type === 'text' || body.type === 'textResource' ? [body.text] : [],
  );
  const textOf = async () => {
    const parts = texts.map(
      (part) =>
        part.text ??
        (response === null
          ? ''
          : backend.getPayloadText({ frame: response, pointer: part.pointer, form: 'text' })),
    );
    return (await Promise.all(parts)).join('\n');
  };
  const whole = (frame: FrameId, pointer: string) => () =>
    backend.getPayloadText({ frame, pointer, form: 'pretty' });
  const views = VIEWS.map((id) =>
    entryOf(`result.${id}`, RESULT.views[id], true, () => onView(id)),
  );
  const search = {
    ...entryOf('result.search', SEARCH.open, onSearch !== undefined, () => onSearch?.()),
    shortcut: 'mod+f',
  };
  const ofAnswer = () =>
    response !== null && void copy('result', whole(response, report?.error ? '/error' : '/result'));
  const ofRequest = () => request !== null && void copy('request', whole(request, ''));
  const texted = [
    entryOf('result.copy', COPY.result, response !== null, ofAnswer),
    entryOf('result.copy-text', COPY.text, texts.length > 0, () => void copy('text', textOf)),
    entryOf('result.copy-request', COPY.request, request !== null, ofRequest),
  ];
  const save = entryOf('result.save', COPY.save, response !== null, onSave);
  const saveTest = { id: 'test', title: RUN.save, run: () => call && saveCall(call) };
  return (
    <>
      <Menu
        label={RESULT.menu}
        trigger={
          <Button variant="quiet">
            {RESULT.views[view]} <ChevronDown size={12} />
          </Button>
        }
        views={{ label: RESULT.viewsOf, entries: views, shown: `result.${view}` }}
        groups={[call ? [search, saveTest] : [search], [...texted, ...copies, save]]}
      />
      {[...views, search, ...texted, save].map((entry) => (
        <Offer key={entry.id} entry={entry} within={frameRef} />
      ))}
    </>
  );
}

function entryOf(id: ActionId, title: string, isThere: boolean, run: () => void): Entry {
  return { id, title, isDisabled: !isThere, run };
}

/** Offers an entry of the menu to the palette. */
function Offer({ entry, within }: { entry: Entry; within: RefObject<HTMLElement | null> }) {
  useAction(entry.id, entry.run, { within, when: entry.isDisabled !== true });
  return null;
}
