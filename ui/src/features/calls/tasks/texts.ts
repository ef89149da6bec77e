import type { Era, TaskStatus, TaskView } from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';

/** All texts of the tasks of a server. */

export const TASKS = {
  label: 'Tasks',
  none: 'No tasks',
  noneLegacy:
    'Run a tool with “As task” chosen. Its work goes on at the server, and is found here.',
  noneModern: 'This server decides by itself which calls become tasks. They are found here.',
  list: 'Ask the server for its tasks',
  found: (count: number) =>
    count === 0 ? 'The server lists no other tasks.' : `${count} more from the server.`,
  unknownTool: 'Listed by the server',
  noResult: 'No result yet',
  noResultHint: 'It appears when the task has ended.',
  cancelled: 'Cancelled',
  cancelledHint: 'A cancelled task has no result.',
  notAsked: 'The server is not asked for the result',
  notAskedHint: 'Connect it, then ask for the status.',
} as const;

export const TASK_STRIP = {
  label: 'Tasks of this server',
  count: (running: number, ended: number) =>
    [running > 0 && `${running} running`, ended > 0 && `${ended} ended`].filter(Boolean).join(', '),
  show: 'Show tasks',
} as const;

export const TASK = {
  status: 'Status',
  message: 'Message',
  created: 'Created',
  updated: 'Last heard',
  kept: 'Kept',
  left: (time: string) => `${time} left`,
  over: 'Its time is over; the server may have forgotten it',
  unlimited: 'without a limit',
  interval: 'Asked every',
  id: 'Id',
  format: 'Format',
  cancel: 'Cancel task',
  ask: 'Ask now',
  openTool: 'Open tool',
  traffic: 'Show in Traffic',
  forget: 'Forget',
  actions: 'Actions of the task',
} as const;

export const FORMATS: Record<Era, string> = {
  legacy: 'MCP 2025-11-25: the call asked for a task',
  modern: 'io.modelcontextprotocol/tasks: the server decided',
};

export const STATUSES: Record<TaskStatus, StatusLabel> = {
  working: { glyph: '◐', tone: 'busy', label: 'working' },
  input_required: { glyph: '▲', tone: 'warn', label: 'needs an answer' },
  completed: { glyph: '✓', tone: 'ok', label: 'completed' },
  failed: { glyph: '✕', tone: 'bad', label: 'failed' },
  cancelled: { glyph: '○', tone: 'idle', label: 'cancelled' },
};

/** Stands in place of the status of a task that is not followed. */
export const NOT_FOLLOWED: Record<'notConnected' | 'unknown', StatusLabel> = {
  notConnected: { glyph: '○', tone: 'idle', label: 'not connected' },
  unknown: { glyph: '✕', tone: 'bad', label: 'not known to the server' },
};

/** The status of a task, or the reason why it is not known. */
export function statusOf({ follow, facts }: TaskView): StatusLabel {
  return follow === 'unknown' || follow === 'notConnected'
    ? NOT_FOLLOWED[follow]
    : STATUSES[facts.status];
}
