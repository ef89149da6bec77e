/** All texts about changes of what a server shows of itself, and findings in it. */
import type { SurfaceView } from '@/backend/bindings';
import { formatQuantity } from '@/lib/format';
import { classCounts } from '@/widgets/surface-changes/texts';

export const SURFACE = {
  title: 'Changes and findings',
  changes: 'Changes',
  findings: 'Findings',
  findingsOf: (count: number) => formatQuantity(count, 'finding'),
  show: 'Show changes',
  accept: 'Accept',
  keep: 'Keep as alarm',
  pin: 'Pin this',
  compare: 'Compare with…',
  compareTitle: (server: string) => `Compare ${server}`,
  compareMeaning:
    'Connects once more beside your connection where that is needed, and closes it afterwards.',
  counterpart: 'Compare with',
  otherServer: 'Another server',
  recording: 'As it was recorded in a session file',
  era: { modern: 'Itself in the modern era', legacy: 'Itself in the legacy era' },
  eraDetail: { modern: 'Revision 2026-07-28', legacy: 'Revision 2025-11-25 and earlier' },
  identity: (name: string) => `Itself as ${name}`,
  identityDetail: 'Another identity that is signed in',
  withExtension: (name: string) => `Itself with ${name}`,
  withoutExtension: (name: string) => `Itself without ${name}`,
  extensionDetail: 'An extension that the client declares',
  reconnect: 'Itself, connected once more',
  reconnectDetail: 'Finds lists that are another each time',
  silence: 'Silence',
  unsilence: 'Show again',
  rugPullShort: 'A text that a model reads changed after you agreed to it (possible rug pull).',
  rugPull:
    'A text that a model reads is no longer the one you agreed to. Read it before you go on: this is how a server can turn against its users (a “rug pull”).',
  none: 'No change.',
  noFindings: 'Nothing was found.',
  notStored: 'Nothing is stored to compare with.',
  pinned: (date: string) => `Compared with the list that was pinned on ${date}.`,
  stored: (date: string) => `Compared with the list of ${date}.`,
};

/** Returns a sentence such as `3 changes since the pinned list: 1 breaking, 2 to judge.` */
export function summaryOf(view: SurfaceView): string {
  const count = view.breaking + view.attention + view.compatible + view.notes;
  const since = view.isPinned ? 'since the pinned list' : 'since the list you last agreed to';
  return `${formatQuantity(count, 'change')} ${since}${classCounts(view)}.`;
}
