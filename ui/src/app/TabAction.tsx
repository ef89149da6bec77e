import { useAction } from '@/state/actions';
import { type Tab, useNavigation } from '@/state/navigation';
import { useServer } from '@/state/servers/servers';
import { isTabShown, useTabSubject } from './tabs';

/** Offers to show a view of the selected server. Draws nothing. */
export function TabAction({ tab }: { tab: Tab }) {
  const { server, ...known } = useTabSubject(useServer(useNavigation((state) => state.server)));
  const show = () => {
    if (server) useNavigation.getState().open({ server: server.id, tab });
  };
  useAction(`tab.${tab}`, show, {
    when: server !== undefined && (tab === 'checks' || isTabShown(tab, { server, ...known })),
  });
  return null;
}
