import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ConfigTextView, Draft, DraftCheck, TextReading } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { useAsyncEffect } from '@/components/use-async-effect';
import { showError } from '@/state/notices';
import { useConfiguration } from '@/state/setup/configuration';
import type { Editing } from '@/state/setup/setup-view';
import {
  forgetUnsavedText,
  storeUnsavedText,
  type UnsavedText,
  unsavedText,
} from '@/state/setup/unsaved';
import { fileKey } from '../grid/file-rows';
import { draftOf, type Form, formOf } from './form';
import { NOTHING_FOUND } from './use-check';

/** Milliseconds after the last key before text and form are brought in step. */
const TYPING_DELAY = 120;

/** A file that is being edited, as text and, where a server was chosen, as its form. */
export interface TextSession {
  /** The file as it was read; nothing until then. */
  file: ConfigTextView | null;
  failure: string | null;
  text: string;
  reading: TextReading | null;
  form: Form | null;
  /** Findings on the form; none until it was checked. */
  check: DraftCheck;
  /** The server in the text, whatever it is called by now. */
  name: string | null;
  hasChanges: boolean;
  /** True if more than the form was changed. */
  isByHand: boolean;
  /** The file on disk, where that differs from what was read. */
  onDisk: ConfigTextView | null;
  changeText: (text: string) => void;
  changeForm: (form: Form) => void;
  /** The text with all that the form says, to be saved: it may be ahead of the text by a key. */
  finish: () => Promise<string>;
  /** Goes back to what the file says. */
  discard: () => void;
  /** Goes on from what stands on disk, with the user's own text kept. */
  keepMine: () => void;
}

/**
 * Keeps the form and the text of one file in step. What the form says is put into the text as it
 * was before the form was used; what is typed into the text is read back into the form.
 */
export function useTextSession(editing: Editing): TextSession {
  const backend = useBackend();
  const target = useMemo(() => ({ ...editing.target }), [editing.target]);
  const server = editing.name;
  const revision = useConfiguration((state) => state.view.revision);
  const [file, setFile] = useState<ConfigTextView | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [text, setText] = useState('');
  const [reading, setReading] = useState<TextReading | null>(null);
  const [form, setForm] = useState<Form | null>(null);
  const [check, setCheck] = useState(NOTHING_FOUND);
  const [name, setName] = useState(server);
  const [isByHand, setByHand] = useState(false);
  const [onDisk, setOnDisk] = useState<ConfigTextView | null>(null);
  /** The text and the server in it that the form changes. */
  const anchor = useRef({ text: '', name: server });
  /** Moves with each change, so that an answer to an earlier one is not taken. */
  const turn = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** The form that the text does not say yet. */
  const ahead = useRef<Form | null>(null);
  const key = fileKey(target);
  const known = useRef({ file, text, reading });
  known.current = { file, text, reading };

  /** Takes the check of a draft in the turn that asked for it. */
  const takeCheck = useCallback(
    ({ check }: TextReading, draft: Draft, now: number) => {
      const take = (found: DraftCheck) => {
        if (now === turn.current) setCheck(found);
      };
      if (check) take(check);
      // The login shell is slow, or the server was renamed by hand. Without a check the form is only
      // less helpful.
      else backend.checkDraft(target, draft, server).then(take, () => {});
    },
    [backend, target, server],
  );

  const read = useCallback(
    async (next: string) => {
      const now = ++turn.current;
      const { name: before } = anchor.current;
      try {
        const found = await backend.editConfigurationText(target, next, before, null, server);
        if (now !== turn.current) return;
        const current = currentName(before, known.current.reading, found);
        const draft = found.servers.find((one) => one.name === current)?.draft;
        anchor.current = { text: next, name: current };
        setReading(found);
        setName(current);
        if (draft) setForm(formOf(draft));
        if (draft) takeCheck(found, draft, now);
      } catch (reason) {
        showError(reason);
      }
    },
    [backend, target, server, takeCheck],
  );

  const begin = useCallback(
    (loaded: ConfigTextView, start: string, which = server) => {
      clearTimeout(timer.current);
      ahead.current = null;
      anchor.current = { text: start, name: which };
      setFile(loaded);
      setOnDisk(null);
      setText(start);
      setName(which);
      setByHand(start !== loaded.text);
      void read(start);
    },
    [read, server],
  );

  // The file as it is; again whenever something changed, for it may have been this file.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useAsyncEffect(
    () => ({
      start: () => backend.getConfigurationText(target),
      onValue: (loaded) => {
        const { file: before, text: mine } = known.current;
        if (before === null) {
          const left = unsavedText(key);
          if (!left) begin(loaded, loaded.text);
          else resume(loaded, left);
        } else if (loaded.text === before.text) setOnDisk(null);
        else if (mine === before.text || mine === loaded.text) begin(loaded, loaded.text);
        else setOnDisk(loaded);
      },
      onError: (reason) => setFailure(asCommandError(reason).message),
    }),
    [backend, target, revision, begin],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: what the form is ahead by moves with it
  useEffect(() => {
    if (!file) return;
    if (text === file.text && !ahead.current) forgetUnsavedText(backend, key);
    else {
      const left = { editing, base: file.text, text, name: anchor.current.name };
      storeUnsavedText(backend, key, { ...left, form: ahead.current });
    }
  }, [file, text, form, key, backend, editing]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const later = (run: () => void) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(run, TYPING_DELAY);
  };

  const writeForm = async (next: Form): Promise<string> => {
    const now = turn.current;
    const { text: from, name: which } = anchor.current;
    const draft = draftOf(next);
    const found = await backend.editConfigurationText(target, from, which, draft, server);
    const isCurrent = now === turn.current;
    takeCheck(found, draft, now);
    if (found.text === null) throw new Error(found.unwritten ?? undefined);
    if (isCurrent) {
      ahead.current = null;
      setText(found.text);
      setName(next.name.trim());
      setReading(found);
    }
    return found.text;
  };

  const changeForm = (next: Form) => {
    turn.current += 1;
    ahead.current = next;
    setForm(next);
    // What is missing is said at its field; the text waits until the form is complete.
    later(() => void writeForm(next).catch(() => {}));
  };

  /** Goes on with a change that was left. */
  const resume = (loaded: ConfigTextView, left: UnsavedText) => {
    begin({ ...loaded, text: left.base }, left.text, left.name);
    if (left.base !== loaded.text) setOnDisk(loaded);
    if (left.form) changeForm(left.form as Form);
  };

  return {
    file,
    failure,
    text,
    reading,
    form,
    check,
    name,
    isByHand,
    onDisk,
    hasChanges: file !== null && (text !== file.text || ahead.current !== null),
    changeText(next) {
      turn.current += 1;
      ahead.current = null;
      anchor.current = { ...anchor.current, text: next };
      setText(next);
      setByHand(next !== file?.text);
      later(() => void read(next));
    },
    changeForm,
    async finish() {
      if (!ahead.current) return text;
      clearTimeout(timer.current);
      return writeForm(ahead.current);
    },
    discard() {
      forgetUnsavedText(backend, key);
      if (file) begin(onDisk ?? file, (onDisk ?? file).text);
    },
    keepMine() {
      if (onDisk) {
        setFile(onDisk);
        setByHand(true);
        setOnDisk(null);
      }
    },
  };
}

/**
 * Returns the name of a server in a new reading: as before, or of the entry that now stands in its
 * place.
 */
function currentName(
  before: string | null,
  old: TextReading | null,
  found: TextReading,
): string | null {
  if (before === null || found.servers.some(({ name }) => name === before)) return before;
  const index = old?.servers.findIndex(({ name }) => name === before) ?? -1;
  const moved = old?.servers.length === found.servers.length ? found.servers[index] : undefined;
  return moved?.name ?? before;
}
