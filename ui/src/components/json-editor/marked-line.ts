import { StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';

/** Marks a line, from 1; none with 0. */
export const markLine = StateEffect.define<number>();

const mark = Decoration.line({ class: 'cm-marked' });

/** The line that is marked; the mark moves with the text. */
export const markedLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(markLine)) continue;
      const { doc } = transaction.state;
      next =
        effect.value > 0 && effect.value <= doc.lines
          ? Decoration.set(mark.range(doc.line(effect.value).from))
          : Decoration.none;
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});
