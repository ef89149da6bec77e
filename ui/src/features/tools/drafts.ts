/** Arguments that are being edited, while a person looks at other tools. */
const drafts = new Map<string, string>();
const KEPT = 50;

export function draftOf(id: string): string | undefined {
  return drafts.get(id);
}

export function keepDraft(id: string, text: string): void {
  drafts.delete(id);
  drafts.set(id, text);
  const [oldest] = drafts.keys();
  if (drafts.size > KEPT && oldest !== undefined) drafts.delete(oldest);
}
