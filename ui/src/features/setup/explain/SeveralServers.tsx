import { Button } from '@/components/Button';
import { Glyph } from '@/components/Glyph';
import { Section } from '@/components/Section';
import { fileTitle, useConfiguration } from '@/state/setup/configuration';
import type { FileRow } from '../grid/file-rows';
import { commonTarget, severalActions } from '../grid/place-actions';
import styles from './explain.module.css';
import { SEVERAL } from './texts';

/** The actions that several selected servers have in common. */
export function SeveralServers({ rows }: { rows: readonly FileRow[] }) {
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
