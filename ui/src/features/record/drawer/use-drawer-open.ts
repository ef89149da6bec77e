import { useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { recall, remember } from '@/lib/remembered';
import { windowHeight } from '@/lib/window-size';
import { useNavigation } from '@/state/navigation';
import { useRecording } from '@/state/record/recording';

const NAME = 'traffic.open';
/** The window's height in pixels below which the drawer opens on a press alone, to leave room. */
const ROOM = 700;

/** Milliseconds from the first message until the drawer opens. */
const OPENING_DELAY = 500;

/** Opens and closes the drawer, also for the next time the window opens. */
export function useDrawerOpen() {
  const isOpen = useNavigation((state) => state.trafficOpen);
  const show = useNavigation((state) => state.setTrafficOpen);

  // Before the first picture, which would otherwise show the other.
  useLayoutEffect(() => {
    show(windowHeight() >= ROOM && (recall(NAME, isBoolean) ?? true));
  }, [show]);

  // An empty drawer takes no room, unless somebody opens it all the same. A recording is looked at
  // for its traffic.
  const isEmpty = useIsEmpty();
  const isRecording = useNavigation((state) => state.place === 'session');
  const [isForced, setForced] = useState(false);
  const setOpen = useCallback(
    (open: boolean) => {
      show(open);
      setForced(open);
      remember(NAME, open);
    },
    [show],
  );
  return { isOpen: isOpen && (!isEmpty || isForced || isRecording), setOpen };
}

/**
 * Tells whether nothing is on record, a moment late: the drawer makes room for the first message
 * when the lists that came with it are drawn.
 */
function useIsEmpty(): boolean {
  const isEmpty = useRecording(({ revision, recording }) =>
    // Until the record says more, that of the start counts.
    revision.revision === 0 ? recording.frames === 0 : revision.frames === 0,
  );
  const [isLate, setLate] = useState(isEmpty);
  useEffect(() => {
    if (isEmpty) {
      setLate(true);
      return;
    }
    const timer = setTimeout(() => setLate(false), OPENING_DELAY);
    return () => clearTimeout(timer);
  }, [isEmpty]);
  return isLate;
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}
