/** Texts of the timeline. */
import type { TimelineTrack } from '@/backend/bindings';
import { formatCount, formatQuantity } from '@/lib/format';

export const TIMELINE = {
  label: 'Timeline',
  keys: 'Arrow keys select calls, Enter opens the selected one. W and S zoom, A and D move, 0 shows everything. Plus and minus zoom too.',
  lanes: 'Lanes',
  minimap: 'Overview of the timeline',
  start: 'Start of the shown time',
  end: 'End of the shown time',
  parts: 'Parts of the selected call',
  partsOf: (name: string) => `Parts of ${name}`,
  criticalPath: 'critical path',
  person: 'waiting for a person',
  firstParts: (shown: number, total: number) =>
    `the first ${formatCount(shown)} of ${formatQuantity(total, 'row')}`,
  fit: 'Show everything (0)',
  zoomIn: 'Zoom in (W)',
  zoomOut: 'Zoom out (S)',
  lookingBack: 'Looking further back…',
  many: (count: number) => formatQuantity(count, 'call'),
  zoom: 'Zoom in to tell them apart.',
  nothingSelected: 'No call is selected.',
  unloaded: 'Loading the timeline…',
  inProgress: 'still going on',
};

export const TRACKS: Readonly<Record<TimelineTrack, string>> = {
  sent: 'requests',
  received: 'from the server',
  task: 'tasks',
  stream: 'streams',
  http: 'HTTP',
  signIn: 'sign-ins',
  process: 'process',
};
