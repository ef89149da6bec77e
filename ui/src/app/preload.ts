import { MenuPopup } from '@/components/Menu';
import { TooltipText } from '@/components/Tooltip';
import { DrawerPanel } from '@/features/record/drawer/drawer-panel';
import { SearchField } from '@/features/servers/list/ServerFilter';
import { preloadOverview } from '@/features/servers/overview/later';
import { firstSign } from '@/lib/last-input';
import { lazyComponent, loadInOrder } from '@/lib/lazy-component';
import { firstConnection } from '@/state/servers/servers';
import { preloadTabs, preloadTools } from './tabs';

export const Palette = lazyComponent(() => import('./Palette'), 'Palette');
export const Dialogs = lazyComponent(() => import('./Dialogs'), 'default');

/**
 * Loads what `lazyComponent` put off, so that no press has to wait for it later, one after the
 * other, so that the window answers in between: first the small parts that open over the window,
 * and what a connection shows. Tools and drawer come with the first connection, which may be made
 * without a user. All the rest has the size of the window itself and waits for a user, since a
 * window that nobody looks at would hold it for nothing.
 */
export async function preload(): Promise<void> {
  const sign = firstSign();
  await loadInOrder([MenuPopup, Palette, SearchField, TooltipText]);
  await preloadOverview();
  await Promise.race([sign, firstConnection()]);
  await preloadTools();
  await DrawerPanel.load();
  await sign;
  await preloadTabs();
  await Dialogs.load();
}
