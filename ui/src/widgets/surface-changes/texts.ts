/** All texts about changes of what a server shows of itself. */
import type { ChangeClass, Part, SurfaceDifference } from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';
import { formatQuantity } from '@/lib/format';
import { classCounts } from '@/state/checks/texts';

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
  breaking: { glyph: '✕', tone: 'bad', label: 'Breaks callers' },
  attention: { glyph: '▲', tone: 'warn', label: 'May matter' },
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

/** Counts the changes of a comparison: `3 differences: 1 breaks callers.` */
export function differenceSummary(difference: SurfaceDifference): string {
  const { breaking, attention, compatible, notes } = difference;
  const count = breaking + attention + compatible + notes;
  return `${formatQuantity(count, 'difference')}${classCounts(difference)}.`;
}
