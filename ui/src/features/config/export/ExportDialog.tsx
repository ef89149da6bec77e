import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ChosenServer, Client } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { Select } from '@/components/Select';
import { Switch } from '@/components/Switch';
import { copyText } from '@/lib/clipboard';
import { listOf } from '@/lib/format';
import { useConfiguration } from '@/state/configuration';
import { useDialogs } from '@/state/dialogs';
import { showError, showNote } from '@/state/notices';
import styles from './export.module.css';
import { useExport } from './use-export';

interface ExportDialogProps {
  items: readonly ChosenServer[];
}

/** Servers as any client would write them, to be copied or saved. */
export function ExportDialog({ items }: ExportDialogProps) {
  const backend = useBackend();
  const close = useDialogs((state) => state.close);
  const clients = useConfiguration((state) => state.view.clients);
  const [client, setClient] = useState<Client>(items[0]?.target.client ?? 'mcp-json');
  const [withSecrets, setWithSecrets] = useState(false);
  const { exported, problem } = useExport(items, client, withSecrets);
  const [only] = items;
  const what = items.length === 1 ? only?.name : `${items.length} servers`;

  const copy = async () => {
    if (!exported) return;
    try {
      await copyText(exported.text);
      showNote(`Copied ${what}`);
    } catch (reason) {
      showError(reason);
    }
  };
  const save = async () => {
    if (!exported) return;
    try {
      const request = { servers: [...items], client, include_secrets: withSecrets };
      const path = await backend.saveExport(request, exported.suggested_name);
      if (path !== null) showNote(`Saved ${path}`);
    } catch (reason) {
      showError(reason);
    }
  };
  return (
    <Dialog
      title={`Export ${what}`}
      isOpen
      width="wide"
      onClose={close}
      footer={
        <>
          <Button onPress={close}>Close</Button>
          <Button isDisabled={!exported} onPress={() => void save()}>
            Save to a file…
          </Button>
          <Button variant="primary" isDisabled={!exported} onPress={() => void copy()}>
            Copy
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <div className={styles.row}>
          <Select
            label="As"
            className={styles.client}
            value={client}
            choices={clients.map(({ client: value, title }) => ({ value, label: title }))}
            onChange={setClient}
          />
          <Switch isSelected={withSecrets} onChange={setWithSecrets}>
            With secrets
          </Switch>
        </div>
        {problem && (
          <p role="alert" className={styles.problem}>
            ✕ {problem.message} {problem.hint}
          </p>
        )}
        {!withSecrets && <p className={styles.remark}>{replacedText(exported?.replaced ?? [])}</p>}
        {withSecrets && (
          <p className={styles.warning}>
            <span aria-hidden="true">▲ </span>
            This text holds secrets. Mind where you put it.
          </p>
        )}
        {exported?.refused.map((reason) => (
          <p key={reason} className={styles.warning}>
            <span aria-hidden="true">▲ </span>
            {reason}
          </p>
        ))}
        {exported?.lost.map((lost) => (
          <p key={`${lost.server} ${lost.field}`} className={styles.warning}>
            <span aria-hidden="true">▲ </span>
            {lost.server}: <code>{lost.field}</code> is left out. {lost.reason}
          </p>
        ))}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable. */}
        <section className={styles.text} aria-label="Export" tabIndex={0}>
          <pre>{exported?.text}</pre>
        </section>
      </div>
    </Dialog>
  );
}

/** Says how secrets were replaced. */
function replacedText(names: readonly string[]): string {
  if (names.length === 0) return 'Nothing in it looks like a secret.';
  const variables = [...new Set(names)].map((name) => `\${${name}}`);
  const verb = variables.length === 1 ? 'stands in its place' : 'stand in their places';
  return `Secrets are left out: ${listOf(variables)} ${verb}.`;
}
