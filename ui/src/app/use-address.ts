import { useEffect } from 'react';
import { TABS, type Tab, useNavigation } from '@/state/navigation';

/**
 * Opens what the page's address names: `?server=built-in:demo&tab=tools&item=echo`. That is how
 * the host shows a certain place at the start. `?place=config` opens the configuration.
 */
export function useAddress(): void {
  const open = useNavigation((state) => state.open);
  useEffect(() => {
    const address = new URLSearchParams(window.location.search);
    if (address.get('place') === 'config') useNavigation.getState().openConfig();
    const server = address.get('server');
    if (server === null) return;
    const named = address.get('tab');
    const tab = TABS.find((candidate): candidate is Tab => candidate === named);
    open({ server, tab, item: address.get('item') ?? undefined });
  }, [open]);
}
