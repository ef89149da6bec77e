import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const highlight = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--ok)' },
  { tag: tags.comment, color: 'var(--text-3)', fontStyle: 'italic' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--busy)' },
  { tag: [tags.separator, tags.punctuation, tags.bracket], color: 'var(--text-2)' },
]);

const theme = EditorView.theme({
  '&': {
    height: '100%',
    color: 'var(--text-1)',
    backgroundColor: 'transparent',
    fontSize: 'var(--size-data)',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    lineHeight: '1.5',
    fontVariantLigatures: 'none',
  },
  '.cm-content': { padding: '4px 0', caretColor: 'var(--text-1)' },
  '.cm-line': { padding: '0 8px' },
  '.cm-cursor': { borderLeftColor: 'var(--text-1)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft) !important',
  },
  '.cm-gutters': {
    backgroundColor: 'transparent',
    color: 'var(--text-3)',
    border: 'none',
    paddingLeft: '6px',
  },
  // Only where the user types, and below the brackets: frames around two neighbours overlap.
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--surface-2)',
    boxShadow: 'inset 0 -1px var(--text-3)',
  },
  '&.cm-focused .cm-nonmatchingBracket': { color: 'var(--bad)' },
  '.cm-marked': { backgroundColor: 'var(--selection)' },
  '.cm-placeholder': { color: 'var(--text-3)', fontStyle: 'italic' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--warn)',
    textUnderlineOffset: '3px',
  },
  '.cm-tooltip': {
    border: '1px solid var(--line-2)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--surface-1)',
    color: 'var(--text-1)',
    boxShadow: 'var(--shadow)',
  },
  '.cm-diagnostic': { padding: '4px 8px', fontFamily: 'var(--font-ui)', borderLeft: 'none' },
  '.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--font-mono) !important',
    maxHeight: '220px',
  },
  '.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px !important' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--selection) !important',
    color: 'var(--text-1) !important',
  },
  '.cm-completionDetail': { color: 'var(--text-3)', fontStyle: 'normal', marginLeft: '12px' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
});

/** The editor in the colours and sizes of the window. */
export const editorTheme = [theme, syntaxHighlighting(highlight)];
