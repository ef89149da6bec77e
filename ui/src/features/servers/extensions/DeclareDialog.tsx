import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ExtensionRow, ServerView, SurfaceDifference } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { TextField } from '@/components/TextField';
import { visibleText } from '@/lib/visible-text';
import { useAttempt } from '@/state/servers/attempt';
import { isLive } from '@/state/servers/phases';
import { Differences } from '@/widgets/surface-changes/Differences';
import styles from './extensions.module.css';
import { EXTENSIONS } from './texts';

/** A change of what is declared. */
export type Declaration =
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
export function DeclareDialog({ server, declaration, onDeclared, onClose }: DeclareDialogProps) {
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
