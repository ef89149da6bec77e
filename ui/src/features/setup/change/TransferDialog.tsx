import { useState } from 'react';
import type { ConfigAction, ConflictChoice, Target } from '@/backend/bindings';
import { Segmented } from '@/components/Segmented';
import { TextField } from '@/components/TextField';
import { entirelyVisible } from '@/lib/visible-text';
import { fileOf, fileTitle, serverOf, useConfiguration } from '@/state/setup/configuration';
import { showRenamed } from '@/state/setup/setup-view';
import { ChangeDialog } from './ChangeDialog';
import styles from './change.module.css';
import { TargetField } from './TargetField';
import { TRANSFER } from './texts';

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
          type: mode,
          from,
          to: target,
          items: names.map((one) => ({
            name: one,
            newName: names.length === 1 && name.trim() !== one ? name.trim() : null,
            conflict,
          })),
        }
      : null;
  const what = names.length === 1 ? names[0] : `${names.length} servers`;
  const verb = mode === 'move' ? TRANSFER.move : TRANSFER.copy;

  return (
    <ChangeDialog
      title={`${verb} ${what}`}
      verb={verb}
      action={action}
      placeholder={needsChoice ? TRANSFER.chooseConflict : TRANSFER.chooseTarget}
      onApplied={() => {
        const [only] = names;
        if (!target || names.length !== 1 || only === undefined) return;
        showRenamed(target.client, name.trim() || only);
      }}
    >
      <div className={styles.fields}>
        <TargetField
          label={TRANSFER.to}
          value={target}
          except={from}
          autoFocus={to === null}
          onChange={(next) => {
            setTarget(next);
            setChoice(null);
          }}
        />
        {names.length === 1 && <TextField label={TRANSFER.name} value={name} onChange={setName} />}
        <div className="stack items-start">
          <span className="mb-2 medium">
            {TRANSFER.from(entirelyVisible(fileTitle(view, from)))}
          </span>
          <Segmented
            label={TRANSFER.mode}
            value={mode}
            onChange={setMode}
            segments={[
              { value: 'move', label: TRANSFER.move, isDisabled: isFixed },
              { value: 'copy', label: TRANSFER.copy },
            ]}
          />
        </div>
      </div>
      {taken.length > 0 && (
        <div className={styles.choice} role="alert">
          <p>
            <span className="warn" aria-hidden="true">
              ▲{' '}
            </span>
            {target && entirelyVisible(fileTitle(view, target))} {TRANSFER.defines[0]}{' '}
            {taken.length === 1 ? (
              <b>{entirelyVisible(name || (taken[0] ?? ''))}</b>
            ) : (
              TRANSFER.ofNames(taken.length)
            )}{' '}
            {TRANSFER.defines[1]}
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
      label={TRANSFER.whenTaken}
      value={value ?? 'refuse'}
      onChange={onChange}
      segments={[
        { value: 'replace', label: TRANSFER.replace },
        { value: 'keepBoth', label: TRANSFER.keepBoth },
        { value: 'skip', label: TRANSFER.skip },
      ]}
    />
  );
}
