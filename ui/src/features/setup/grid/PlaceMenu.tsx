import { useRef } from 'react';
import { MenuList } from '@/components/Menu';
import { keyText, type PlaceActions } from './place-actions';
import { ACTION } from './texts';

interface PlaceMenuProps {
  /** The cell that it belongs to. */
  at: HTMLElement;
  actions: PlaceActions;
  onClose: () => void;
}

/** The menu of a place of the grid. */
export function PlaceMenu({ at, actions, onClose }: PlaceMenuProps) {
  const trigger = useRef(at);
  return (
    <MenuList
      label={ACTION.label}
      triggerRef={trigger}
      onClose={onClose}
      groups={menuGroups(actions)}
    />
  );
}

export function menuGroups(actions: PlaceActions) {
  return actions.map((group) =>
    group.map(({ id, title, key, isDisabled, isDangerous, run }) => ({
      id,
      title,
      keys: key && keyText(key),
      isDisabled,
      isDangerous,
      run,
    })),
  );
}
