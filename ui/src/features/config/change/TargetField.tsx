import type { Target } from '@/backend/bindings';
import { Select } from '@/components/Select';
import { useConfiguration } from '@/state/configuration';
import { fileKey } from '../matrix/matrix';
import { TARGET } from './texts';

interface TargetFieldProps {
  label: string;
  value: Target | null;
  /** A file that is not offered. */
  except?: Target;
  isDisabled?: boolean;
  onChange: (target: Target) => void;
}

/** A file that can be written: those of `.mcp.json` first, then those of clients found here. */
export function TargetField({ label, value, except, isDisabled, onChange }: TargetFieldProps) {
  const clients = useConfiguration((state) => state.view.clients);
  const offered = clients.flatMap(({ client, title, found, files }) =>
    files
      .filter((file) => file.writable && (found || client === 'mcp-json'))
      .toSorted((one, other) => other.precedence - one.precedence)
      .map((file) => {
        const target: Target = { client, scope: file.scope };
        const name = client === 'mcp-json' ? file.title : `${title}, ${file.title.toLowerCase()}`;
        return { target, key: fileKey(target), file, name };
      }),
  );
  const chosen = value && offered.find(({ key }) => key === fileKey(value));
  return (
    <Select
      label={label}
      isDisabled={isDisabled}
      placeholder={TARGET.choose}
      description={chosen?.file.note}
      choices={offered
        .filter(({ key }) => !except || key !== fileKey(except))
        .map(({ key, name, file }) => ({
          value: key,
          label: `${name} · ${file.label}`,
          detail: detailOf(file.state),
        }))}
      value={chosen?.key ?? null}
      onChange={(key) => {
        const found = offered.find((candidate) => candidate.key === key);
        if (found) onChange(found.target);
      }}
    />
  );
}

function detailOf(state: string): string | undefined {
  if (state === 'missing') return TARGET.created;
  if (state === 'broken' || state === 'unreadable') return TARGET.unreadable;
  return undefined;
}
