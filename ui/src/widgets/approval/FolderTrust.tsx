import { Checkbox } from '@/components/Checkbox';
import { Confirmed } from '@/components/Confirmed';
import { useSnapshot } from '@/state/snapshot';
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
    <div className="stack gap-2 mt-5">
      <Checkbox {...props}>{FOLDER.trust}</Checkbox>
      <p className="remark">
        {FOLDER.before}
        <Confirmed text={folder.path} />
        {FOLDER.after}
      </p>
    </div>
  );
}
