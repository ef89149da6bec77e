import { Checkbox } from '@/components/Checkbox';
import { Confirmed } from '@/components/Confirmed';
import { useSnapshot } from '@/state/snapshot';
import styles from './approval.module.css';
import { FOLDER } from './texts';

interface FolderTrustProps {
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
}

/** Offers to trust the folder along with approving a program that is to start in it. */
export function FolderTrust(props: FolderTrustProps) {
  const folder = useSnapshot((state) => state.folder);
  if (folder.answer === 'trusted') return null;
  return (
    <div className={styles.folder}>
      <Checkbox {...props}>{FOLDER.trust}</Checkbox>
      <p className={styles.remark}>
        {FOLDER.before}
        <Confirmed text={folder.path} />
        {FOLDER.after}
      </p>
    </div>
  );
}
