import { isLink, useDialogs } from '@/state/dialogs';
import { LINKS } from './texts';

/** The links that are shown once the dialog that is open is closed, and those that are not kept. */
export function WaitingLinks() {
  const waiting = useDialogs((state) => state.waiting.filter(isLink).length);
  const dropped = useDialogs((state) => state.dropped);
  if (waiting === 0 && dropped === 0) return null;
  return (
    <p role="status" className="flex-none pad-x-8 pad-y-4 edge-top remark">
      {waiting > 0 && LINKS.waiting(waiting)} {dropped > 0 && LINKS.dropped(dropped)}
    </p>
  );
}
