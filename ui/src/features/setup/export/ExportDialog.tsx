import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ChosenServer, Client } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Caution } from '@/components/Caution';
import { Dialog } from '@/components/Dialog';
import { Problem } from '@/components/Problem';
import { Select } from '@/components/Select';
import { Switch } from '@/components/Switch';
import { copyText } from '@/lib/clipboard';
import { useClose } from '@/state/dialogs';
import { showError, showNote } from '@/state/notices';
import { useConfiguration } from '@/state/setup/configuration';
import { useAnswer } from '@/widgets/use-answer';
import styles from './export.module.css';
import { EXPORT, replaced } from './texts';

/** Servers as any client would write them, to be copied or saved. */
export function ExportDialog({ items }: { items: readonly ChosenServer[] }) {
  const backend = useBackend();
  const close = useClose();
  const clients = useConfiguration((state) => state.view.clients);
  const [client, setClient] = useState<Client>(items[0]?.target.client ?? 'mcp-json');
  const [withSecrets, setWithSecrets] = useState(false);
  const request = { servers: [...items], client, includeSecrets: withSecrets };
  const {
    value: exported,
    problem,
    hint,
  } = useAnswer(() => backend.exportServers(request), [backend, JSON.stringify(request)]);
  const [only] = items;
  const what = EXPORT.what(items.length, only?.name);

  const copy = () => {
    if (exported) copyText(exported.text).then(() => showNote(EXPORT.copied(what)), showError);
  };
  const save = () => {
    if (!exported) return;
    backend
      .saveExport(request, exported.suggestedName)
      .then((path) => path !== null && showNote(EXPORT.saved(path)))
      .catch(showError);
  };
  return (
    <Dialog
      title={EXPORT.title(what)}
      isOpen
      width="wide"
      onClose={close}
      closeLabel={EXPORT.close}
      more={
        <Button isDisabled={!exported} onPress={save}>
          {EXPORT.save}
        </Button>
      }
      action={{ label: EXPORT.copy, isDisabled: !exported, run: copy }}
    >
      <div className="stack gap-6">
        <div className="flex items-end gap-12">
          <Select
            label={EXPORT.as}
            className={styles.client}
            value={client}
            choices={clients.map(({ client: value, title }) => ({ value, label: title }))}
            onChange={setClient}
          />
          <Switch isSelected={withSecrets} onChange={setWithSecrets}>
            {EXPORT.withSecrets}
          </Switch>
        </div>
        <Problem text={problem && `${problem} ${hint ?? ''}`} />
        {!withSecrets && <p className="remark">{replaced(exported?.replaced ?? [])}</p>}
        {withSecrets && <Caution>{EXPORT.hasSecrets}</Caution>}
        {exported?.refused.map((reason) => (
          <Caution key={reason}>{reason}</Caution>
        ))}
        {exported?.lost.map((lost) => (
          <Caution key={`${lost.server} ${lost.field}`}>
            {lost.server}: <code>{lost.field}</code> {EXPORT.leftOut} {lost.reason}
          </Caution>
        ))}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable. */}
        <section className={styles.text} aria-label={EXPORT.text} tabIndex={0}>
          <pre>{exported?.text}</pre>
        </section>
      </div>
    </Dialog>
  );
}
