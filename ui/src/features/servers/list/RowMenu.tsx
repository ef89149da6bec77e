import { type MenuEntry, MenuList } from '@/components/Menu';
import { ACTIONS, type ActionId, runAction, useHandlers } from '@/state/actions';
import { SIDEBAR } from './texts';

/** The actions on a server, as far as they can be run now. */
const GROUPS: readonly (readonly ActionId[])[] = [
  ['server.connect', 'server.disconnect', 'server.ping', 'server.at-start', 'server.not-at-start'],
  ['auth.sign-in', 'auth.cancel', 'auth.sign-out'],
  ['server.conformance', 'server.load'],
  [
    'server.restart-on-change',
    'server.compare',
    'requests.stubs',
    'traffic.export-server',
    'traffic.clear-server',
  ],
  ['server.settings', 'server.edit', 'server.remove'],
];

interface Props {
  /** The row that was clicked; its server is selected. */
  row: Element | null;
  onClose(): void;
}

/** The menu of a row in the sidebar. */
export function RowMenu({ row, onClose }: Props) {
  const handlers = useHandlers((state) => state.handlers);
  const groups = GROUPS.map((ids) =>
    ids
      .filter((id) => (handlers[id]?.length ?? 0) > 0)
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
  if (row === null) return null;
  return (
    <MenuList
      label={SIDEBAR.menu}
      triggerRef={{ current: row }}
      groups={groups}
      onClose={onClose}
    />
  );
}
