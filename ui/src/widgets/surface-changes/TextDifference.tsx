import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';

interface TextDifferenceProps {
  before: string;
  after: string;
  /** Names the view for screen readers. */
  label: string;
}

const theme = EditorView.theme({
  '&': {
    color: 'var(--text-1)',
    backgroundColor: 'transparent',
    fontSize: 'var(--size-data)',
    maxHeight: '240px',
  },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', fontVariantLigatures: 'none' },
  '.cm-gutters': { backgroundColor: 'transparent', border: 'none' },
  '.cm-changedLine': { backgroundColor: 'transparent' },
  '.cm-deletedChunk': { backgroundColor: 'transparent', color: 'var(--text-2)' },
  '.cm-changeGutter': { width: '3px', paddingLeft: '1px' },
  '.cm-changedLineGutter': { background: 'var(--ok)' },
  '.cm-deletedLineGutter': { background: 'var(--bad)' },
});

/** A text before and after a change, with the changed words marked. */
export function TextDifference({ before, after, label }: TextDifferenceProps) {
  const parent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!parent.current) return;
    const view = new EditorView({
      parent: parent.current,
      state: EditorState.create({
        doc: after,
        extensions: [
          EditorState.readOnly.of(true),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true' }),
          unifiedMergeView({ original: before, mergeControls: false }),
          theme,
        ],
      }),
    });
    return () => view.destroy();
  }, [before, after, label]);
  return <div ref={parent} />;
}
