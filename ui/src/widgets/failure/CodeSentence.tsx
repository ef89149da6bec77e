/** A sentence of the backend, in which code stands between backticks. */
export function CodeSentence({ text }: { text: string }) {
  return (
    <>
      {text.split('`').map((part, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move
        index % 2 === 1 ? <code key={index}>{part}</code> : part,
      )}
    </>
  );
}
