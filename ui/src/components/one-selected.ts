import type { Key, Selection } from 'react-aria-components';

/** The props of a list in which one item is selected, or none yet. */
export function oneSelected<Id extends Key>(selected: Id | null, onSelect: (id: Id) => void) {
  return {
    selectionMode: 'single',
    selectionBehavior: 'replace',
    disallowEmptySelection: true,
    selectedKeys: selected === null ? [] : [selected],
    onSelectionChange: (keys: Selection) => {
      const [id] = keys === 'all' ? [] : keys;
      if (id !== undefined) onSelect(id as Id);
    },
  } as const;
}
