import { MoreHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { Profile, ServerId, SwitchItem } from '@/backend/bindings';
import { IconButton } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { Menu } from '@/components/Menu';
import { Select } from '@/components/Select';
import { TextField } from '@/components/TextField';
import { showDialog } from '@/state/dialogs';
import { showError } from '@/state/notices';
import { saveSettings } from '@/state/settings';
import { useSnapshot } from '@/state/snapshot';
import type { MatrixColumn } from './matrix-rows';
import { MATRIX } from './texts';

/** Named sets of servers: choosing one shows what it switches on and off. */
export function Profiles({ columns }: { columns: readonly MatrixColumn[] }) {
  const backend = useBackend();
  const settings = useSnapshot((state) => state.settings);
  const [isNaming, setNaming] = useState(false);
  const { profiles } = settings;
  const current = profiles.find((profile) => itemsOf(columns, profile).length === 0);
  const save = (next: Profile[]) => saveSettings(backend, { profiles: next }).catch(showError);
  const choose = (name: string) => {
    const profile = profiles.find((known) => known.name === name);
    const items = profile ? itemsOf(columns, profile) : [];
    if (items.length > 0) {
      showDialog({ kind: 'config-change', action: { type: 'switch', items } });
    }
  };
  const actions = [
    { id: 'save', title: MATRIX.saveProfile, run: () => setNaming(true) },
    {
      id: 'delete',
      title: MATRIX.deleteProfile,
      run: () => void save(profiles.filter(({ name }) => name !== current?.name)),
    },
  ].filter(({ id }) => (id === 'save' ? switchable(columns).length > 0 : current !== undefined));
  return (
    <>
      {profiles.length > 0 && (
        <Select
          label={MATRIX.profile}
          hideLabel
          placeholder={MATRIX.noProfile}
          value={current?.name ?? null}
          choices={profiles.map(({ name }) => ({ value: name, label: name }))}
          onChange={choose}
        />
      )}
      {actions.length > 0 && (
        <Menu
          label={MATRIX.profiles}
          trigger={<IconButton icon={MoreHorizontal} label={MATRIX.profiles} />}
          groups={[actions]}
        />
      )}
      {isNaming && (
        <NameDialog
          onClose={() => setNaming(false)}
          onSave={(name) => {
            const others = profiles.filter((profile) => profile.name !== name);
            void save([...others, { name, servers: serversThatAreOn(columns) }]);
            setNaming(false);
          }}
        />
      )}
    </>
  );
}

function NameDialog({ onClose, onSave }: { onClose(): void; onSave(name: string): void }) {
  const [name, setName] = useState('');
  return (
    <Dialog
      title={MATRIX.saveProfileTitle}
      isOpen
      onClose={onClose}
      action={{
        label: MATRIX.save,
        isDisabled: name.trim() === '',
        run: () => onSave(name.trim()),
      }}
    >
      <TextField label={MATRIX.profileName} autoFocus value={name} onChange={setName} />
    </Dialog>
  );
}

/** The servers of clients that can switch them, with whether they are on. */
function switchable(columns: readonly MatrixColumn[]) {
  return columns
    .filter(({ view }) => view.expresses.disabled)
    .flatMap(({ client, view }) =>
      view.servers
        .filter(({ state }) => state.type !== 'invalid' && state.type !== 'refused')
        .map(({ name, scope, state }) => ({
          id: `${client}:${name}` as ServerId,
          target: { client, scope },
          name,
          isOn: state.type !== 'disabled',
          isWritable: view.files.some((file) => file.scope === scope && file.writable),
        })),
    );
}

function serversThatAreOn(columns: readonly MatrixColumn[]): ServerId[] {
  return switchable(columns)
    .filter(({ isOn }) => isOn)
    .map(({ id }) => id);
}

/** Returns the servers that a profile has to switch; none where all is as it says. */
function itemsOf(columns: readonly MatrixColumn[], profile: Profile): SwitchItem[] {
  const wanted = new Set(profile.servers);
  return switchable(columns)
    .filter(({ id, isOn, isWritable }) => isWritable && isOn !== wanted.has(id))
    .map(({ target, name, isOn }) => ({ target, name, isOn: !isOn }));
}
