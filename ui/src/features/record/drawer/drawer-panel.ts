import { lazyComponent } from '@/lib/lazy-component';

/** Comes when the drawer opens, or once a user is there: a closed one is a bar. */
export const DrawerPanel = lazyComponent(() => import('./DrawerPanel'), 'DrawerPanel');
