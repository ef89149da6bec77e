/** A text of ours in which names stand between backticks: those are shown as code. */
export function CodeText({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
}
