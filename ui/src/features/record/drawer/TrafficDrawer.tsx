import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { BackendContext, useBackend } from '@/backend/backend';
import type { SessionId } from '@/backend/bindings';
import { usePainted } from '@/components/use-painted';
import { latestInFrame } from '@/lib/frames';
import { lazyComponent } from '@/lib/lazy-component';
import { useNavigation } from '@/state/navigation';
import { showError } from '@/state/notices';
import { createRecordStore, RecordContext } from '@/state/record/recording';
import { useShownSession } from '@/state/record/sessions';
import styles from './traffic-drawer.module.css';
import { useDrawerHeight } from './use-drawer-height';
import { useDrawerOpen } from './use-drawer-open';

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
