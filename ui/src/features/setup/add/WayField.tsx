import type { Candidate, RemoteBundle } from '@/backend/bindings';
import { RadioList } from '@/components/RadioList';
import { entirelyVisible } from '@/lib/visible-text';
import { summaryOf } from './summary';
import { ADD, BUNDLE } from './texts';

interface WayFieldProps {
  ways: readonly Candidate[];
  /** Bundles that are downloaded first. */
  bundles?: readonly RemoteBundle[];
  /** The way or the bundle that is taken. */
  value: Candidate | RemoteBundle | null;
  onChange: (way: Candidate) => void;
  onBundle?: (bundle: RemoteBundle) => void;
}

/** The choice among the packages and addresses of a server, each with what it starts. */
export function WayField({ ways, bundles = [], value, onChange, onBundle }: WayFieldProps) {
  if (ways.length + bundles.length < 2) return null;
  const all = [...ways, ...bundles];
  const choices = all.map((one, index) => ({
    value: String(index),
    label: entirelyVisible('draft' in one ? sentence(one.origin) : BUNDLE.ofRegistry),
    detail: entirelyVisible('draft' in one ? summaryOf(one.draft) : one.url),
  }));
  return (
    <RadioList
      label={ADD.way}
      choices={choices}
      value={value && all.includes(value) ? String(all.indexOf(value)) : null}
      onChange={(index) => {
        const one = all[Number(index)];
        if (one && 'draft' in one) onChange(one);
        else if (one) onBundle?.(one);
      }}
    />
  );
}

/** Words with a capital at their beginning. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
