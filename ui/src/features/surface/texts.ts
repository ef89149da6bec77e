/** All texts about changes of what a server shows of itself, and findings in it. */
import type { ChangeClass, Part, SurfaceView } from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';
import { formatQuantity } from '@/lib/format';

export const SURFACE = {
  title: 'Changes and findings',
  changes: 'Changes',
  findings: 'Findings',
  findingsOf: (count: number) => formatQuantity(count, 'finding'),
  show: 'Show changes',
  accept: 'Accept',
  keep: 'Keep as alarm',
  pin: 'Pin this',
  silence: 'Silence',
  unsilence: 'Show again',
  rugPull:
    'A text that a model reads is no longer the one you agreed to. Read it before you go on: this is how a server can turn against its users (a “rug pull”).',
  difference: 'Difference',
  before: 'Before',
  after: 'After',
  none: 'No change.',
  noFindings: 'Nothing was found.',
  notStored: 'Nothing is stored to compare with.',
  pinned: (date: string) => `Compared with the list that was pinned on ${date}.`,
  stored: (date: string) => `Compared with the list of ${date}.`,
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

/** Returns a sentence such as `3 changes since the pinned list: 1 breaking, 2 to judge.` */
export function summaryOf(view: SurfaceView): string {
  const count = view.breaking + view.attention + view.compatible + view.notes;
  const parts = [
    view.breaking > 0 ? `${view.breaking} breaking` : '',
    view.attention > 0 ? `${view.attention} to judge` : '',
  ].filter((part) => part !== '');
  const since = view.is_pinned ? 'since the pinned list' : 'since the list you last agreed to';
  const detail = parts.length > 0 ? `: ${parts.join(', ')}` : '';
  return `${formatQuantity(count, 'change')} ${since}${detail}.`;
}
