import { visibleText } from '@/lib/visible-text';

/** The reason why something failed; nothing without one. */
export function Problem({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <p role="alert" className="break-anywhere bad">
      ✕ {visibleText(text)}
    </p>
  );
}
