import type { CheckVerdict, StepKind, StepState } from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';

/** The title of each step. */
export const STEP_TITLES: Record<StepKind, string> = {
  challenge: 'Challenge',
  resource_metadata: 'Resource metadata',
  server_metadata: 'Server metadata',
  registration: 'Registration',
  authorization: 'Authorization',
  callback: 'Callback',
  token: 'Token',
  retry: 'Retry',
};

/** The purpose of each step, for those who see it for the first time. */
export const STEP_PURPOSES: Record<StepKind, string> = {
  challenge: 'The server is asked without a token, and says in its 401 what it wants.',
  resource_metadata: 'The server names the authorization servers whose tokens it takes.',
  server_metadata: 'The authorization server lists its endpoints and what it supports.',
  registration: 'Sightglass becomes a client of the authorization server, or uses the one it is.',
  authorization: 'Your browser opens the page on which you sign in and agree.',
  callback: 'The browser comes back to Sightglass with a code.',
  token: 'The code is exchanged for a token.',
  retry: 'The request that was refused is sent again, with the token.',
};

/** The status of a step: a glyph, a label and a colour. */
export const STEP_LABELS: Record<StepState, StatusLabel> = {
  pending: { glyph: '○', tone: 'idle', label: 'To come' },
  running: { glyph: '◐', tone: 'busy', label: 'Running' },
  paused: { glyph: '‖', tone: 'warn', label: 'Paused' },
  done: { glyph: '✓', tone: 'ok', label: 'Done' },
  skipped: { glyph: '–', tone: 'idle', label: 'Not needed' },
  failed: { glyph: '✕', tone: 'bad', label: 'Failed' },
};

export const VERDICT_LABELS: Record<CheckVerdict, StatusLabel> = {
  passed: { glyph: '✓', tone: 'ok', label: 'Passed' },
  warned: { glyph: '▲', tone: 'warn', label: 'Tolerated' },
  failed: { glyph: '✕', tone: 'bad', label: 'Failed' },
  overridden: { glyph: '▲', tone: 'warn', label: 'Allowed by you' },
  skipped: { glyph: '–', tone: 'idle', label: 'Not checked' },
};
