import { Checkbox } from '@/components/Checkbox';
import { useFolder } from '@/state/folder';
import styles from './approval.module.css';

interface FolderTrustProps {
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
}

/** Offers to trust the folder along with approving a program that is to start in it. */
export function FolderTrust(props: FolderTrustProps) {
  const folder = useFolder((state) => state.folder);
  if (folder.answer === 'trusted') return null;
  return (
    <div className={styles.folder}>
      <Checkbox {...props}>Trust this folder too</Checkbox>
      <p className={styles.remark}>
        Programs of the project start in <code>{folder.path}</code>, where packages, scripts and
        settings can change what they do. They do not start before you trust it.
      </p>
    </div>
  );
}
