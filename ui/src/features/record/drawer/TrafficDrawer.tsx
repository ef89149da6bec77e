import {
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import { BackendContext, useBackend } from '@/backend/backend';
import type { SessionId } from '@/backend/bindings';
import { usePainted } from '@/components/use-painted';
import { latestInFrame } from '@/lib/frames';
import { lazyComponent } from '@/lib/lazy-component';
import { remember } from '@/lib/remembered';
import { useNavigation } from '@/state/navigation';
import { showError } from '@/state/notices';
import { createRecordStore, RecordContext, useRecording } from '@/state/record/recording';
import { useShownSession } from '@/state/record/sessions';
import { isOpenAtStart, OPEN } from './place';
import styles from './traffic-drawer.module.css';
import { useDrawerHeight } from './use-drawer-height';

const DrawerContent = lazyComponent(() => import('./DrawerContent'), 'default');

/**
 * The record of everything that crossed the wire, at the foot of the window. Its place is there
 * from the first picture on. What stands in it comes right after that: a window that shows its
 * servers can be used already.
 */
export function TrafficDrawer() {
  const { isOpen, setOpen } = useDrawerOpen();
  const height = useDrawerHeight();
  const painted = usePainted();
  const session = useShownSession();
  const isMaximised = useNavigation((state) => state.trafficMaximised) && isOpen;
  return (
    <div
      className={styles.place}
      data-maximised={isMaximised || undefined}
      style={{ height: isOpen && !isMaximised ? height.pixels : undefined }}
    >
      {painted && (
        <Suspense>
          {session ? (
            <SessionRecord key={session.id} session={session.id}>
              <DrawerContent isOpen={isOpen} setOpen={setOpen} height={height} session={session} />
            </SessionRecord>
          ) : (
            <DrawerContent isOpen={isOpen} setOpen={setOpen} height={height} session={null} />
          )}
        </Suspense>
      )}
    </div>
  );
}

/** Puts the record of an opened session in the place of the program's. */
function SessionRecord({ session, children }: { session: SessionId; children: ReactNode }) {
  const backend = useBackend();
  const [record] = useState(createRecordStore);
  const reading = useMemo(() => ({ ...backend, ...backend.readerOf(session) }), [backend, session]);
  useEffect(() => {
    let end: (() => void) | null = null;
    let isOver = false;
    const subscribed = reading.onTraffic(
      latestInFrame((revision) => record.getState().setRevision(revision)),
    );
    subscribed.then((unsubscribe) => {
      if (isOver) unsubscribe();
      else end = unsubscribe;
    }, showError);
    return () => {
      isOver = true;
      end?.();
    };
  }, [reading, record]);
  return (
    <BackendContext value={reading}>
      <RecordContext value={record}>{children}</RecordContext>
    </BackendContext>
  );
}

/** Milliseconds from the first message until the drawer opens. */
const OPENING_DELAY = 500;

/** Opens and closes the drawer, also for the next time the window opens. */
function useDrawerOpen() {
  const isOpen = useNavigation((state) => state.trafficOpen);
  const show = useNavigation((state) => state.setTrafficOpen);

  // Before the first picture, which would otherwise show the other.
  useLayoutEffect(() => {
    show(isOpenAtStart());
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
      remember(OPEN, open);
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
