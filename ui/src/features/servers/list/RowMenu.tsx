import { MenuList } from '@/components/Menu';
import { SIDEBAR } from './texts';
import { useServerMenu } from './use-server-menu';

interface Props {
  /** The row that was clicked; its server is selected. */
  row: Element | null;
  onClose(): void;
}

/** The menu of a row in the sidebar. */
export function RowMenu({ row, onClose }: Props) {
  const groups = useServerMenu();
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
