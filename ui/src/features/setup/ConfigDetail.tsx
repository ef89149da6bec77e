import { ChevronLeft } from 'lucide-react';
import { memo } from 'react';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Glyph } from '@/components/Glyph';
import { Section } from '@/components/Section';
import { fileTitle, useConfiguration } from '@/state/setup/configuration';
import { useSetupView } from '@/state/setup/setup-view';
import styles from './explain/explain.module.css';
import { ServerExplanation } from './explain/ServerExplanation';
import { SEVERAL } from './explain/texts';
import { FilePanel } from './files/FilePanel';
import { type FileRow, fileKey } from './grid/file-rows';
import { commonTarget, severalActions } from './grid/place-actions';
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

/** The actions that several selected servers have in common. */
function SeveralServers({ rows }: { rows: readonly FileRow[] }) {
  const view = useConfiguration((state) => state.view);
  const target = commonTarget(rows, null);
  const actions = severalActions(view, rows, null).flat();
  return (
    <article className="h-full scroll" aria-label={SEVERAL.label}>
      <header className={styles.head}>
        <h2 className={styles.title}>{SEVERAL.title(rows.length)}</h2>
      </header>
      <Section title={SEVERAL.all}>
        <p className={styles.remark}>
          {target ? SEVERAL.inOneFile(fileTitle(view, target)) : SEVERAL.inSeveralFiles}
        </p>
        <div className="row wrap gap-4">
          {actions.map((action) => (
            <Button
              key={action.id}
              variant={action.isDangerous ? 'danger' : 'plain'}
              isDisabled={action.isDisabled}
              onPress={action.run}
            >
              {action.title}
            </Button>
          ))}
        </div>
      </Section>
      <Section title={SEVERAL.selected}>
        <ul className="plain-list">
          {rows.map((row) => (
            <li key={row.key}>
              <Glyph glyph={row.status.glyph} tone={row.status.tone} /> {row.name}{' '}
              <span className={styles.remark}>{row.status.label}</span>
            </li>
          ))}
        </ul>
      </Section>
    </article>
  );
}
