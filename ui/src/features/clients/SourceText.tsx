import { useBackend } from '@/backend/backend';
import { showError } from '@/state/notices';

const ADDRESS = /(https:\/\/[^\s,;)]+)/;

/** A source of a rule, with its addresses as links that open in the browser. */
export function SourceText({ text }: { text: string }) {
  const backend = useBackend();
  return text.split(ADDRESS).map((part, index) =>
    index % 2 === 1 ? (
      <a
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
        key={index}
        href={part}
        onClick={(event) => {
          event.preventDefault();
          backend.openAddress(part).catch(showError);
        }}
      >
        {part.replace('https://', '')}
      </a>
    ) : (
      part.replaceAll('`', '')
    ),
  );
}
