import type { Candidate } from '@/backend/bindings';
import { Select } from '@/components/Select';
import { summaryOf } from './summary';
import { ADD } from './texts';

interface WayFieldProps {
  ways: readonly Candidate[];
  value: Candidate;
  onChange: (way: Candidate) => void;
}

/** The choice among the packages and addresses of a server, where there are several. */
export function WayField({ ways, value, onChange }: WayFieldProps) {
  if (ways.length < 2) return null;
  return (
    <Select
      label={ADD.way}
      choices={ways.map(({ origin, draft }, index) => ({
        value: String(index),
        label: sentence(origin),
        detail: summaryOf(draft),
      }))}
      value={String(ways.indexOf(value))}
      onChange={(index) => {
        const way = ways[Number(index)];
        if (way) onChange(way);
      }}
    />
  );
}

/** Words with a capital at their beginning. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
