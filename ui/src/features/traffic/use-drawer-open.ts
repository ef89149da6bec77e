import { useCallback, useLayoutEffect, useState } from 'react';
import { recall, remember } from '@/lib/remembered';
import { windowHeight } from '@/lib/window-size';
import { useNavigation } from '@/state/navigation';
import { useRecording } from '@/state/recording';

const NAME = 'traffic.open';
/** The window's height in pixels below which the drawer is closed at first, to leave room. */
const ROOM = 600;

/** Opens and closes the drawer, also for the next time the window opens. */
export function useDrawerOpen() {
  const isOpen = useNavigation((state) => state.trafficOpen);
  const show = useNavigation((state) => state.setTrafficOpen);

  // Before the first picture, which would otherwise show the other.
  useLayoutEffect(() => {
    show(recall(NAME, isBoolean) ?? windowHeight() >= ROOM);
  }, [show]);

  // An empty drawer takes no room, unless somebody opens it all the same.
  const isEmpty = useRecording((state) => state.pulse.frames === 0);
  const [isForced, setForced] = useState(false);
  const setOpen = useCallback(
    (open: boolean) => {
      show(open);
      setForced(open);
      remember(NAME, open);
    },
    [show],
  );
  return { isOpen: isOpen && (!isEmpty || isForced), setOpen };
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}
