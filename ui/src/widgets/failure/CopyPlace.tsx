import type { StackTrace } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { copyText } from '@/lib/clipboard';
import { visibleText } from '@/lib/visible-text';
import { showError, showNote } from '@/state/notices';
import { PLACE } from './texts';

/** Copies file and line of the user's own code, as editors open them. */
export function CopyPlace({ trace: { file, line } }: { trace: StackTrace }) {
  const name = file.split(/[/\\]/).at(-1) ?? file;
  const copy = () => {
    const place = `${file}:${line}`;
    void copyText(place).then(() => showNote(PLACE.copied(visibleText(place))), showError);
  };
  return <Button onPress={copy}>{PLACE.copy(visibleText(name), line)}</Button>;
}
