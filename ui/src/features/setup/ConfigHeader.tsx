import { Redo2, Undo2 } from 'lucide-react';
import { Button, IconButton } from '@/components/Button';
import { Select } from '@/components/Select';
import { runAction } from '@/state/actions';
import { useDialogs } from '@/state/dialogs';
import { type ClientChoice, useConfigView } from '@/state/setup/config-view';
import { useConfiguration } from '@/state/setup/configuration';
import styles from './config-view.module.css';
import { CONFIG } from './texts';

/** The client whose files are shown, and the actions on all of them. */
export function ConfigHeader() {
  const view = useConfiguration((state) => state.view);
  const client = useConfigView((state) => state.client);
  const chooseClient = useConfigView((state) => state.chooseClient);
  const isEditing = useConfigView((state) => state.editing !== null);
  const show = useDialogs((state) => state.show);
  const found = view.clients.filter((one) => one.found || one.client === 'mcp-json');
  const absent = view.clients.filter((one) => !found.includes(one));
  const total = view.clients.reduce((sum, { servers }) => sum + servers.length, 0);
  return (
    <header className={styles.header}>
      <h1 className="flex-none text-title">{CONFIG.title}</h1>
      <Select<ClientChoice>
        label={CONFIG.client}
        hideLabel
        className={styles.client}
        isDisabled={isEditing}
        value={client}
        choices={[
          ...found.map(({ client: value, title, servers }) => ({
            value,
            label: title,
            detail: CONFIG.servers(servers.length),
          })),
          { value: 'servers', label: CONFIG.switches, detail: CONFIG.switchesHint },
          { value: 'every', label: CONFIG.allClients, detail: CONFIG.servers(total) },
          ...absent.map(({ client: value, title }) => ({
            value,
            label: title,
            detail: CONFIG.notFound,
          })),
        ]}
        onChange={chooseClient}
      />
      <span className="flex-1" />
      <IconButton
        label={CONFIG.undo(view.undo)}
        shortcut="mod+z"
        isDisabled={view.undo === null}
        onPress={() => runAction('config.undo')}
      >
        <Undo2 size={15} aria-hidden="true" />
      </IconButton>
      <IconButton
        label={CONFIG.redo(view.redo)}
        shortcut="mod+shift+z"
        isDisabled={view.redo === null}
        onPress={() => runAction('config.redo')}
      >
        <Redo2 size={15} aria-hidden="true" />
      </IconButton>
      <Button className={styles.wideOnly} onPress={() => show({ kind: 'import-servers' })}>
        {CONFIG.import}
      </Button>
      <Button onPress={() => show({ kind: 'add-server' })}>{CONFIG.add}</Button>
    </header>
  );
}
