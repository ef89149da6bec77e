import { useAction } from '@/state/actions';
import { useHasTasks } from '@/state/calls/tasks';
import { type Tab, useNavigation } from '@/state/navigation';
import { useServer } from '@/state/servers/servers';
import { isTabShown } from './tabs';

/** Offers to show a view of the selected server. Draws nothing. */
export function TabAction({ tab }: { tab: Tab }) {
  const server = useServer(useNavigation((state) => state.server));
  const hasTasks = useHasTasks(server?.id);
  const show = () => {
    if (server) useNavigation.getState().open({ server: server.id, tab });
  };
  useAction(`tab.${tab}`, show, {
    when: server !== undefined && isTabShown(tab, { server, hasTasks }),
  });
  return null;
}
