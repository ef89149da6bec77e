import { ChevronLeft, Plus, Redo2, Undo2 } from 'lucide-react';
import type { Client } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { Segmented } from '@/components/Segmented';
import { Select } from '@/components/Select';
import { runAction } from '@/state/actions';
import { useDialogs } from '@/state/dialogs';
import { useNavigation } from '@/state/navigation';
import { titleOf, useConfiguration } from '@/state/setup/configuration';
import { type ClientPage, useSetupView } from '@/state/setup/setup-view';
import styles from './setup.module.css';
import { SETUP } from './texts';

/** The place in Setup, and the actions on all files. */
export function SetupHeader() {
  const view = useConfiguration((state) => state.view);
  const client = useSetupView((state) => state.client);
  const isEditing = useSetupView((state) => state.editing !== null);
  const show = useDialogs((state) => state.show);
  const isMatrix = client === null || isEditing;
  return (
    <header className={styles.header}>
      {isMatrix ? (
        <>
          <h1 className="flex-none text-title">{SETUP.title}</h1>
          <span className={styles.meaning}>{SETUP.meaning}</span>
        </>
      ) : (
        <ClientBar client={client} />
      )}
      <span className="flex-1" />
      <IconButton
        label={SETUP.undo(view.undo)}
        shortcut="mod+z"
        isDisabled={view.undo === null}
        onPress={() => runAction('setup.undo')}
      >
        <Undo2 size={15} aria-hidden="true" />
      </IconButton>
      <IconButton
        label={SETUP.redo(view.redo)}
        shortcut="mod+shift+z"
        isDisabled={view.redo === null}
        onPress={() => runAction('setup.redo')}
      >
        <Redo2 size={15} aria-hidden="true" />
      </IconButton>
      <Button className={styles.wideOnly} onPress={() => show({ kind: 'import-servers' })}>
        {SETUP.import}
      </Button>
      <Button
        // Where there is none yet, the page below has the main button.
        variant={view.clients.some(({ servers }) => servers.length > 0) ? 'primary' : 'plain'}
        onPress={() => show({ kind: 'add-server' })}
      >
        <Plus size={14} aria-hidden="true" />
        <span className={isMatrix ? undefined : styles.word}>{SETUP.add}</span>
      </Button>
    </header>
  );
}

const PAGES: readonly { value: ClientPage; label: string }[] = [
  { value: 'files', label: SETUP.files },
  { value: 'gets', label: SETUP.gets },
];

/** The client whose head was opened: the way back, to its pages, and to other clients. */
function ClientBar({ client }: { client: Client }) {
  const view = useConfiguration((state) => state.view);
  const page = useSetupView((state) => state.page);
  const openClient = useSetupView((state) => state.openClient);
  const found = view.clients.filter((one) => one.found || one.client === 'mcp-json');
  const absent = view.clients.filter((one) => !found.includes(one));
  return (
    <>
      <h1 className="flex-none text-title">
        <Button
          variant="quiet"
          onPress={() => {
            openClient(null);
            // The button goes with the page.
            useNavigation.getState().openSetup();
          }}
        >
          <ChevronLeft size={14} aria-hidden="true" />
          <span className={styles.word}>{SETUP.title}</span>
        </Button>
      </h1>
      <Select<Client>
        label={SETUP.client}
        hideLabel
        className={styles.client}
        value={client}
        choices={[...found, ...absent].map((one) => ({
          value: one.client,
          label: titleOf(one),
          detail: found.includes(one) ? SETUP.servers(one.servers.length) : SETUP.notFound,
        }))}
        onChange={(next) => openClient(next)}
      />
      <Segmented
        label={SETUP.pages}
        segments={PAGES}
        value={page}
        onChange={(next) => openClient(client, next)}
      />
    </>
  );
}
