import type { ProtocolChoice } from '@/backend/bindings';
import { type Choice, Select } from '@/components/Select';
import { PROTOCOL } from './texts';

const PROTOCOLS: readonly ProtocolChoice[] = [
  'auto',
  '2026-07-28',
  'initialize',
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
];

/** Stands for no choice; no protocol has this name. */
const NONE = 'none';

const choiceOf = (protocol: ProtocolChoice): Choice<ProtocolChoice> => ({
  value: protocol,
  label: PROTOCOL.name(protocol),
  detail: PROTOCOL.detail(protocol),
});

interface ProtocolSelectProps {
  value: ProtocolChoice | null;
  /** The text of the choice to make none, where that is possible. */
  none?: string;
  onChange: (protocol: ProtocolChoice | null) => void;
}

/** The protocol that servers are offered. */
export function ProtocolSelect({ value, none, onChange }: ProtocolSelectProps) {
  const choices: Choice<ProtocolChoice | typeof NONE>[] = PROTOCOLS.map(choiceOf);
  if (none !== undefined) choices.unshift({ value: NONE, label: none });
  return (
    <Select
      label={PROTOCOL.label}
      choices={choices}
      value={value ?? NONE}
      onChange={(chosen) => onChange(chosen === NONE ? null : chosen)}
    />
  );
}
