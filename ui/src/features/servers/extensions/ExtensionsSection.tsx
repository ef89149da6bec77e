import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ExtensionRow, ExtensionsView, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Glyph } from '@/components/Glyph';
import { Section } from '@/components/Section';
import { Switch } from '@/components/Switch';
import { useAsyncEffect } from '@/components/use-async-effect';
import { visibleText } from '@/lib/visible-text';
import { showError } from '@/state/notices';
import { isLive } from '@/state/servers/phases';
import { type Declaration, DeclareDialog } from './DeclareDialog';
import styles from './extensions.module.css';
import { CONTROLS, EFFECTS, EXTENSIONS } from './texts';

/** The extensions that this client and a server declare, and switches for those of this client. */
export function ExtensionsSection({ server }: { server: ServerView }) {
  const backend = useBackend();
  const [view, setView] = useState<ExtensionsView | null>(null);
  const [declaration, setDeclaration] = useState<Declaration | null>(null);
  const [revision, setRevision] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: both sides may be others then.
  useAsyncEffect(
    () => ({
      start: () => backend.getExtensions(server.id),
      onValue: setView,
      onError: showError,
    }),
    [backend, server.id, server.status.phase, server.status.connection, revision],
  );
  if (!view) return null;
  const change = (row: ExtensionRow, isDeclared: boolean) => {
    // Nothing is connected anew, so there is nothing to ask.
    if (isLive(server.status.phase)) return setDeclaration({ kind: 'switch', row, isDeclared });
    backend
      .updateExtension(server.id, row.id, isDeclared)
      .then(() => setRevision((known) => known + 1), showError);
  };
  return (
    <Section
      title={EXTENSIONS.title}
      aside={
        <Button onPress={() => setDeclaration({ kind: 'by-hand', text: view.declared })}>
          {EXTENSIONS.byHand}
        </Button>
      }
    >
      <p className={styles.remark}>{EXTENSIONS.meaning}</p>
      <table className={styles.table} aria-label={EXTENSIONS.table}>
        <thead>
          <tr>
            <th scope="col">{EXTENSIONS.extension}</th>
            <th scope="col">{EXTENSIONS.client}</th>
            <th scope="col">{EXTENSIONS.server}</th>
            <th scope="col">{EXTENSIONS.effect}</th>
          </tr>
        </thead>
        <tbody>
          {view.rows.map((row) => (
            <Row key={row.id} row={row} onChange={(isDeclared) => change(row, isDeclared)} />
          ))}
        </tbody>
      </table>
      {declaration && (
        <DeclareDialog
          server={server}
          declaration={declaration}
          onDeclared={() => setRevision((known) => known + 1)}
          onClose={() => setDeclaration(null)}
        />
      )}
    </Section>
  );
}

interface RowProps {
  row: ExtensionRow;
  onChange: (isDeclared: boolean) => void;
}

function Row({ row, onChange }: RowProps) {
  const effect = EFFECTS[row.effect];
  const id = visibleText(row.id);
  return (
    <tr>
      <th scope="row">
        {row.title && <span>{row.title}</span>}
        <code className="block regular remark">{id}</code>
      </th>
      <td>
        {row.control === 'switch' ? (
          <>
            <Switch
              isSelected={row.declared !== null}
              onChange={onChange}
              aria-label={EXTENSIONS.declare(row.title || id)}
            />
            <Settings json={row.declared} />
          </>
        ) : (
          <span className={styles.remark}>{CONTROLS[row.control]}</span>
        )}
      </td>
      <td>
        {row.offered !== null ? (
          <>
            {EXTENSIONS.declared} <Settings json={row.offered} />
          </>
        ) : (
          <span className={styles.remark}>
            {row.effect === 'unknown' ? EXTENSIONS.unknown : EXTENSIONS.notDeclared}
          </span>
        )}
      </td>
      <td>
        <span className={styles.effect} data-tone={effect.tone}>
          <Glyph glyph={effect.glyph} tone={effect.tone} />
          {effect.label}
        </span>
      </td>
    </tr>
  );
}

/** The settings of a declaration, where it has some. */
function Settings({ json }: { json: string | null }) {
  if (json === null || json === '{}') return null;
  return <code className="block regular remark">{visibleText(json)}</code>;
}
