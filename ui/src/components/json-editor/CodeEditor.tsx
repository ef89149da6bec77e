import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { forceLinting, linter, lintKeymap } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, lineNumbers, placeholder as showPlaceholder } from '@codemirror/view';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import type { TextPlace } from '@/lib/text-place';
import { schemaCompletion } from './completion';
import type { EditorLanguage, JsonEditorProps } from './editor-props';
import { editorTheme } from './editor-theme';
import styles from './json-editor.module.css';
import { diagnose, diagnosticsOf, offsetOf } from './lint';
import { markedLine, markLine } from './marked-line';
import { toml } from './toml';

/** These keys belong to the window: run, focus the arguments. */
const RESERVED = new Set(['Mod-Enter', 'Mod-l', 'Ctrl-l']);
const KEYS = [
  ...closeBracketsKeymap,
  ...defaultKeymap.filter(({ key, mac }) => !RESERVED.has(key ?? '') && !RESERVED.has(mac ?? '')),
  ...historyKeymap,
  ...completionKeymap,
  ...lintKeymap,
];

/** Milliseconds after the last key before the text is checked. */
const LINT_DELAY = 150;

/** An editor for JSON, or a view of it with `readOnly`. */
export default function CodeEditor(props: JsonEditorProps) {
  const { label, value, onChange, schema, readOnly = false, minimumLines } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef({ onChange, value });
  latest.current.onChange = onChange;
  const bySchema = useRef(new Compartment());
  const numbered = props.lineNumbers === true;
  const empty = props.placeholder ?? '';
  const language = props.language ?? 'json';
  const { problems, violations } = props;
  const findings = useRef<Findings>({ problems, violations });
  findings.current = { problems, violations };
  const schemaSupport = useMemo(() => supportFor(schema, readOnly, findings), [schema, readOnly]);
  const support = useRef(schemaSupport);

  useEffect(() => {
    if (!host.current) return;
    const extensions: Extension[] = [
      languageOf(language),
      bracketMatching(),
      indentUnit.of('  '),
      EditorView.lineWrapping,
      editorTheme,
      EditorState.readOnly.of(readOnly),
      EditorView.editable.of(!readOnly),
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
      numbered ? lineNumbers() : [],
      empty ? showPlaceholder(empty) : [],
      bySchema.current.of(support.current),
      markedLine,
    ];
    if (!readOnly) {
      extensions.push(
        history(),
        closeBrackets(),
        indentOnInput(),
        keymap.of(KEYS),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          const text = update.state.doc.toString();
          if (text === latest.current.value) return;
          latest.current.value = text;
          latest.current.onChange?.(text);
        }),
      );
    }
    const created = new EditorView({
      state: EditorState.create({ doc: latest.current.value, extensions }),
      parent: host.current,
    });
    view.current = created;
    return () => {
      created.destroy();
      view.current = null;
    };
  }, [label, readOnly, numbered, empty, language]);

  useEffect(() => {
    support.current = schemaSupport;
    const editor = view.current;
    if (!editor) return;
    editor.dispatch({ effects: bySchema.current.reconfigure(schemaSupport) });
    forceLinting(editor);
  }, [schemaSupport]);

  useEffect(() => {
    latest.current.value = value;
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: changesBetween(editor.state.doc.toString(), value) });
  }, [value]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: other problems are to be shown at once.
  useEffect(() => {
    if (view.current) forceLinting(view.current);
  }, [problems, violations]);

  const marked = props.marked ?? 0;
  const wasMarked = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has the line elsewhere.
  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    editor.dispatch({ effects: markLine.of(marked) });
    if (marked === 0 || wasMarked.current || props.place) return;
    wasMarked.current = true;
    const at = offsetOf(editor.state, { line: marked, column: 1 });
    editor.dispatch({ effects: EditorView.scrollIntoView(at, { y: 'start', yMargin: 48 }) });
  }, [marked, value]);

  const place = props.place ?? null;
  useEffect(() => {
    if (view.current && place) goTo(view.current, place);
  }, [place]);
  return (
    <div
      ref={host}
      className={styles.editor}
      style={minimumLines ? { minHeight: `calc(${minimumLines} * 1.5em + 8px)` } : undefined}
      data-fills={minimumLines === undefined || undefined}
    />
  );
}

function goTo(editor: EditorView, place: TextPlace): void {
  const at = offsetOf(editor.state, place);
  editor.dispatch({
    selection: { anchor: at },
    effects: EditorView.scrollIntoView(at, { y: 'center' }),
  });
  editor.focus();
}

/** The one stretch that differs, so that the cursor and what is scrolled to stay where they are. */
function changesBetween(before: string, after: string) {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

/** Findings of others in the text. */
type Findings = Pick<JsonEditorProps, 'problems' | 'violations'>;

function supportFor(
  schema: string | undefined,
  readOnly: boolean,
  findings: RefObject<Findings>,
): Extension {
  if (readOnly) return [];
  return [
    linter(
      ({ state }) => {
        const { problems, violations } = findings.current;
        return problems ? diagnosticsOf(state, problems) : diagnose(state, violations ?? []);
      },
      { delay: LINT_DELAY },
    ),
    schema === undefined
      ? []
      : autocompletion({ override: [schemaCompletion(schema)], icons: false }),
  ];
}

function languageOf(language: EditorLanguage): Extension {
  switch (language) {
    case 'json':
      return json();
    case 'toml':
      return toml;
    case 'yaml':
      return [];
  }
}
