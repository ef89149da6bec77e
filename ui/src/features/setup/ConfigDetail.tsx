import { ChevronLeft } from 'lucide-react';
import { memo } from 'react';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { useSetupView } from '@/state/setup/setup-view';
import { ServerExplanation } from './explain/ServerExplanation';
import { SeveralServers } from './explain/SeveralServers';
import { FilePanel } from './files/FilePanel';
import { type FileRow, fileKey } from './grid/file-rows';
import { SETUP } from './texts';

interface ConfigDetailProps {
  rows: readonly FileRow[];
  /** Goes back to the grid, where both have no room beside each other. */
  onBack?: () => void;
}

/** The selection: one server, several, or a file. */
export const ConfigDetail = memo(function ConfigDetail({ rows, onBack }: ConfigDetailProps) {
  const file = useSetupView(({ selected }) => (selected.kind === 'file' ? selected.target : null));
  const [row, ...others] = rows;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape steps outward from whatever is inside.
    <div
      className="stack min-w-0 h-full"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && onBack) onBack();
      }}
    >
      {onBack && (
        <div className="flex-none pad-x-4 pad-y-2 edge-bottom">
          <Button variant="quiet" autoFocus onPress={onBack}>
            <ChevronLeft size={14} aria-hidden="true" />
            {SETUP.toServers}
          </Button>
        </div>
      )}
      <div className="fill scroll">
        {file ? (
          <FilePanel key={fileKey(file)} target={file} />
        ) : row === undefined ? (
          <EmptyState title={SETUP.nothing}>{SETUP.nothingHint}</EmptyState>
        ) : others.length > 0 ? (
          <SeveralServers rows={rows} />
        ) : (
          <ServerExplanation row={row} />
        )}
      </div>
    </div>
  );
});
