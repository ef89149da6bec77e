/** A sentence of ours, in which names of a protocol or a file stand between backticks. */
export function InlineCode({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    // Every other part stands between two backticks.
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
}
