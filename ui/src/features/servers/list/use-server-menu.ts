import type { MenuEntry } from '@/components/Menu';
import { ACTIONS, type ActionId, runAction, useHandlers } from '@/state/actions';

/** The actions on a server, in their groups. */
const GROUPS: readonly (readonly ActionId[])[] = [
  [
    'server.connect',
    'server.restart',
    'server.disconnect',
    'server.ping',
    'server.at-start',
    'server.not-at-start',
  ],
  ['auth.sign-in', 'auth.cancel', 'auth.sign-out'],
  ['server.doctor', 'server.conformance', 'server.load'],
  [
    'server.restart-on-change',
    'server.compare',
    'tests.stubs',
    'traffic.export-server',
    'traffic.clear-server',
  ],
  ['server.settings', 'server.answers', 'server.edit', 'server.remove'],
];

/** The menu of the selected server: what can be done with it now, but for what `without` names. */
export function useServerMenu(
  without: readonly ActionId[] = [],
): readonly (readonly MenuEntry[])[] {
  const handlers = useHandlers((state) => state.handlers);
  return GROUPS.map((ids) =>
    ids
      .filter((id) => !without.includes(id) && (handlers[id]?.length ?? 0) > 0)
      .flatMap((id): MenuEntry[] => {
        const action = ACTIONS.find((known) => known.id === id);
        return action
          ? [
              {
                id,
                title: action.title,
                shortcut: action.shortcut,
                isDangerous: id === 'server.remove',
                // The menu gives focus back first; the action may then put it elsewhere.
                run: () => setTimeout(() => runAction(id)),
              },
            ]
          : [];
      }),
  ).filter((group) => group.length > 0);
}
