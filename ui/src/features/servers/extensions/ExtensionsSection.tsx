import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type {
  ExtensionRow,
  ExtensionsView,
  ServerView,
  SurfaceDifference,
} from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { Glyph } from '@/components/Glyph';
import { Section } from '@/components/Section';
import { Switch } from '@/components/Switch';
import { TableHead } from '@/components/TableHead';
import { TextField } from '@/components/TextField';
import { useAsyncEffect } from '@/components/use-async-effect';
import { visibleText } from '@/lib/visible-text';
import { showError } from '@/state/notices';
import { useAttempt } from '@/state/servers/attempt';
import { isLive } from '@/state/servers/phases';
import { Differences } from '@/widgets/surface-changes/ComparisonDialog';
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
    () => ({ start: () => backend.getExtensions(server.id), onValue: setView, onError: showError }),
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
        <TableHead
          titles={[EXTENSIONS.extension, EXTENSIONS.client, EXTENSIONS.server, EXTENSIONS.effect]}
        />
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

function Row({ row, onChange }: { row: ExtensionRow; onChange: (isDeclared: boolean) => void }) {
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

/** A change of what is declared. */
type Declaration =
  | { kind: 'switch'; row: ExtensionRow; isDeclared: boolean }
  /** `text`: the JSON object at first. */
  | { kind: 'by-hand'; text: string };

interface DeclareDialogProps {
  server: ServerView;
  declaration: Declaration;
  onDeclared: () => void;
  onClose: () => void;
}

/** Declares extensions, and shows what the server makes of it. */
function DeclareDialog({ server, declaration, onDeclared, onClose }: DeclareDialogProps) {
  const backend = useBackend();
  const [text, setText] = useState(declaration.kind === 'by-hand' ? declaration.text : '');
  const [difference, setDifference] = useState<SurfaceDifference | null>(null);
  // As it was when the dialog opened: while it reconnects, the server is not live for a moment.
  const [reconnects] = useState(isLive(server.status.phase));
  const { isBusy, problem, attempt } = useAttempt();
  const run = () =>
    attempt(async () => {
      const found =
        declaration.kind === 'switch'
          ? await backend.updateExtension(server.id, declaration.row.id, declaration.isDeclared)
          : await backend.declareExtensions(server.id, text);
      onDeclared();
      if (found) setDifference(found);
      else onClose();
    });
  return (
    <Dialog
      title={titleOf(declaration, visibleText(server.name))}
      isOpen
      asksToDiscard={declaration.kind === 'by-hand' && difference === null}
      width={declaration.kind === 'by-hand' || difference ? 'wide' : 'narrow'}
      onClose={onClose}
      problem={problem}
      footer={
        difference ? (
          <Button variant="primary" onPress={onClose}>
            {EXTENSIONS.close}
          </Button>
        ) : (
          <>
            <Button onPress={onClose}>{EXTENSIONS.cancel}</Button>
            <Button variant="primary" isDisabled={isBusy} onPress={() => void run()}>
              {reconnects ? EXTENSIONS.reconnect : EXTENSIONS.save}
            </Button>
          </>
        )
      }
    >
      <div className="stack gap-5">
        {declaration.kind === 'by-hand' && !difference && (
          <TextField
            label={EXTENSIONS.byHandLabel}
            annotation="capabilities.extensions"
            mono
            lines={8}
            placeholder={'{ "io.modelcontextprotocol/ui": {} }'}
            description={EXTENSIONS.byHandMeaning}
            value={text}
            onChange={setText}
          />
        )}
        {!difference && (
          <p className={styles.remark}>
            {reconnects ? EXTENSIONS.reconnects : EXTENSIONS.nextTime}
          </p>
        )}
        {difference?.changes.length === 0 ? (
          <p role="status">{EXTENSIONS.same}</p>
        ) : (
          <Differences isBusy={isBusy} difference={difference} />
        )}
      </div>
    </Dialog>
  );
}

function titleOf(declaration: Declaration, server: string): string {
  if (declaration.kind === 'by-hand') return EXTENSIONS.byHandTitle(server);
  const title = declaration.row.title || visibleText(declaration.row.id);
  return declaration.isDeclared
    ? EXTENSIONS.declareTitle(title, server)
    : EXTENSIONS.withdrawTitle(title, server);
}
