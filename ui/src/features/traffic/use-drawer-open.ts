import { useCallback, useEffect } from 'react';
import { useNavigation } from '@/state/navigation';
import { recall, remember } from '@/state/remembered';

const NAME = 'traffic.open';

/** Whether the drawer is open, also the next time the window opens. */
export function useDrawerOpen() {
  const isOpen = useNavigation((state) => state.trafficOpen);
  const show = useNavigation((state) => state.setTrafficOpen);

  useEffect(() => {
    const known = recall(NAME, (value) => typeof value === 'boolean');
    if (known !== undefined) show(known);
  }, [show]);

  const setOpen = useCallback(
    (open: boolean) => {
      show(open);
      remember(NAME, open);
    },
    [show],
  );
  return { isOpen, setOpen };
}
