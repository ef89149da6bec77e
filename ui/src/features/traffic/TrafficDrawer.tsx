import { Suspense } from 'react';
import { usePainted } from '@/components/use-painted';
import { lazyComponent } from '@/lib/lazy-component';
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
  return (
    <div className={styles.place} style={{ height: isOpen ? height.pixels : undefined }}>
      {painted && (
        <Suspense>
          <DrawerContent isOpen={isOpen} setOpen={setOpen} height={height} />
        </Suspense>
      )}
    </div>
  );
}
