/** All texts about changes of what a server shows of itself. */
import type { ChangeClass, Part, SurfaceDifference } from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';
import { formatQuantity } from '@/lib/format';

export const CHANGES = {
  changes: 'Changes',
  compare: 'Compare',
  close: 'Close',
  comparing: 'Reading the other side…',
  same: 'Both show the same.',
  difference: 'Difference',
  before: 'Before',
  after: 'After',
  leftOut: (count: number) => `${formatQuantity(count, 'further change')} not shown.`,
};

export const CLASSES: Record<ChangeClass, StatusLabel> = {
  breaking: { glyph: '✕', tone: 'bad', label: 'Breaking' },
  attention: { glyph: '▲', tone: 'warn', label: 'Attention' },
  compatible: { glyph: '●', tone: 'ok', label: 'Compatible' },
  note: { glyph: '○', tone: 'idle', label: 'Note' },
};

export const PARTS: Record<Part, string> = {
  server: 'Server',
  instructions: 'Instructions',
  capabilities: 'Capabilities',
  tool: 'Tool',
  prompt: 'Prompt',
  resource: 'Resource',
  template: 'Template',
};

/** Counts the changes of a comparison: `3 differences: 1 breaking, 2 to judge.` */
export function differenceSummary(difference: SurfaceDifference): string {
  const { breaking, attention, compatible, notes } = difference;
  const count = breaking + attention + compatible + notes;
  return `${formatQuantity(count, 'difference')}${classCounts(difference)}.`;
}

/** Counts the changes that matter: `: 1 breaking, 2 to judge`. */
export function classCounts({
  breaking,
  attention,
}: Pick<SurfaceDifference, 'breaking' | 'attention'>): string {
  const parts = [
    breaking > 0 ? `${breaking} breaking` : '',
    attention > 0 ? `${attention} to judge` : '',
  ].filter((part) => part !== '');
  return parts.length > 0 ? `: ${parts.join(', ')}` : '';
}
