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
import { useEffect, useMemo, useRef } from 'react';
import { SchemaChecker } from '@/lib/schema/validate';
import { schemaCompletion } from './completion';
import { editorTheme } from './editor-theme';
import type { JsonEditorProps } from './JsonEditor';
import styles from './json-editor.module.css';
import { diagnose } from './lint';

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
  const schemaSupport = useMemo(() => supportFor(schema, readOnly), [schema, readOnly]);
  const support = useRef(schemaSupport);

  useEffect(() => {
    if (!host.current) return;
    const extensions: Extension[] = [
      json(),
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
  }, [label, readOnly, numbered, empty]);

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
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  return (
    <div
      ref={host}
      className={styles.editor}
      style={minimumLines ? { minHeight: `calc(${minimumLines} * 1.5em + 8px)` } : undefined}
      data-fills={minimumLines === undefined || undefined}
    />
  );
}

function supportFor(schema: string | undefined, readOnly: boolean): Extension {
  if (readOnly) return [];
  const checker = schema === undefined ? undefined : new SchemaChecker(schema);
  return [
    linter((editor) => diagnose(editor.state, checker), { delay: LINT_DELAY }),
    schema === undefined
      ? []
      : autocompletion({ override: [schemaCompletion(schema)], icons: false }),
  ];
}
