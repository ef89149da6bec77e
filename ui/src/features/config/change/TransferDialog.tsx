import { useState } from 'react';
import type { ConfigAction, ConflictChoice, Target } from '@/backend/bindings';
import { Segmented } from '@/components/Segmented';
import { TextField } from '@/components/TextField';
import { showServerConfig, useConfigView } from '@/state/config-view';
import { fileOf, fileTitle, serverOf, useConfiguration } from '@/state/configuration';
import { ChangeDialog } from './ChangeDialog';
import styles from './change.module.css';
import { TargetField } from './TargetField';

interface TransferDialogProps {
  mode: 'move' | 'copy';
  from: Target;
  names: readonly string[];
  to: Target | null;
}

/** Moves or copies servers to another file, of the same client or of another. */
export function TransferDialog({ mode: first, from, names, to }: TransferDialogProps) {
  const view = useConfiguration((state) => state.view);
  const isFixed = fileOf(view, from)?.writable !== true;
  const [mode, setMode] = useState(isFixed ? 'copy' : first);
  const [target, setTarget] = useState(to);
  const [name, setName] = useState(names.length === 1 ? (names[0] ?? '') : '');
  const [choice, setChoice] = useState<ConflictChoice | null>(null);

  const taken = names.filter((one) => {
    const wanted = names.length === 1 ? name.trim() : one;
    const server = target && serverOf(view, target.client, wanted);
    return server?.cells.some(({ scope }) => scope === target?.scope);
  });
  const conflict: ConflictChoice = taken.length === 0 ? 'refuse' : (choice ?? 'refuse');
  const needsChoice = taken.length > 0 && choice === null;
  const action: ConfigAction | null =
    target && !needsChoice && (names.length > 1 || name.trim() !== '')
      ? {
          kind: mode,
          from,
          to: target,
          items: names.map((one) => ({
            name: one,
            new_name: names.length === 1 && name.trim() !== one ? name.trim() : null,
            conflict,
          })),
        }
      : null;
  const what = names.length === 1 ? names[0] : `${names.length} servers`;
  const verb = mode === 'move' ? 'Move' : 'Copy';

  return (
    <ChangeDialog
      title={`${verb} ${what}`}
      verb={verb}
      action={action}
      placeholder={
        needsChoice
          ? 'Choose what happens with the name, then the change shows here.'
          : 'Choose where it goes; the change shows here before it is written.'
      }
      onApplied={() => {
        const [only] = names;
        if (!target || names.length !== 1 || only === undefined) return;
        if (useConfigView.getState().client !== 'every') {
          showServerConfig(target.client, name.trim() || only);
        }
      }}
    >
      <div className={styles.fields}>
        <TargetField
          label="To"
          value={target}
          except={from}
          onChange={(next) => {
            setTarget(next);
            setChoice(null);
          }}
        />
        {names.length === 1 && <TextField label="Name there" value={name} onChange={setName} />}
        <div className={styles.field}>
          <span className={styles.label}>From {fileTitle(view, from)}</span>
          <Segmented
            label="Move or copy"
            value={mode}
            onChange={setMode}
            segments={[
              { value: 'move', label: 'Move', isDisabled: isFixed },
              { value: 'copy', label: 'Copy' },
            ]}
          />
        </div>
      </div>
      {taken.length > 0 && (
        <div className={styles.choice} role="alert">
          <p>
            <span className={styles.warning} aria-hidden="true">
              ▲{' '}
            </span>
            {target && fileTitle(view, target)} defines{' '}
            {taken.length === 1 ? <b>{name || taken[0]}</b> : `${taken.length} of these names`}{' '}
            already.
          </p>
          <ConflictField value={choice} onChange={setChoice} />
        </div>
      )}
    </ChangeDialog>
  );
}

interface ConflictFieldProps {
  value: ConflictChoice | null;
  onChange: (choice: ConflictChoice) => void;
}

/** The choice for servers of the same name. */
export function ConflictField({ value, onChange }: ConflictFieldProps) {
  return (
    <Segmented
      label="When the name is taken"
      value={value ?? 'refuse'}
      onChange={onChange}
      segments={[
        { value: 'replace', label: 'Replace it' },
        { value: 'keep_both', label: 'Keep both' },
        { value: 'skip', label: 'Skip' },
      ]}
    />
  );
}
