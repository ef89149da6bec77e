import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerView } from '@/backend/bindings';
import { Select } from '@/components/Select';
import { TextField } from '@/components/TextField';
import { useAsyncEffect } from '@/components/use-async-effect';
import { visibleText } from '@/lib/visible-text';
import { useList } from '@/state/calls/lists';
import { TOOL_FIELD } from './texts';

interface ToolFieldProps {
  label: string;
  names: readonly string[];
  /** Offers no tool as a choice. */
  isOptional?: boolean;
  value: string;
  onChange(name: string): void;
}

/** The name of a tool: chosen where the tools are known, else typed. */
export function ToolField({ label, names, isOptional, value, onChange }: ToolFieldProps) {
  if (names.length === 0) {
    return <TextField label={label} mono value={value} onChange={onChange} />;
  }
  const choices = names.map((name) => ({ value: name, label: visibleText(name) }));
  return (
    <Select
      label={label}
      choices={isOptional ? [{ value: '', label: TOOL_FIELD.none }, ...choices] : choices}
      value={isOptional || names.includes(value) ? value : null}
      placeholder={TOOL_FIELD.choose}
      onChange={onChange}
    />
  );
}

/** Tools that a list to choose from holds. */
const MAX_NAMES = 1000;

/** Returns the names of a connected server's tools; none while they are not known. */
export function useToolNames(server: ServerView | undefined): readonly string[] {
  const backend = useBackend();
  const id = server?.id ?? '';
  const phase = server?.status.phase;
  const revision = useList(id, 'tools')?.revision ?? 0;
  const isReady = phase === 'ready' || phase === 'executing';
  const [names, setNames] = useState<readonly string[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newer list has other names.
  useAsyncEffect(
    () =>
      isReady
        ? {
            start: async () => {
              const { rows } = await backend.listItems(id, 'tools', '', 0, MAX_NAMES);
              return rows.map(({ name }) => name);
            },
            onValue: setNames,
            // Without a list the name is typed.
            onError: () => setNames([]),
          }
        : null,
    [backend, id, revision, isReady],
  );
  return isReady ? names : [];
}
