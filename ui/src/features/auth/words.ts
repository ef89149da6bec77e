import type { CheckVerdict, StepKind, StepState } from '@/backend/bindings';
import type { Tone } from '@/components/Glyph';
import { formatTime, formatTimestamp } from '@/lib/format';

export interface Look {
  glyph: string;
  tone: Tone;
  words: string;
}

/** What a step is called. */
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

/** What a step is for, to those who see it for the first time. */
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

/** How a step stands: a glyph, a word and a colour. */
export const STEP_LOOKS: Record<StepState, Look> = {
  pending: { glyph: '○', tone: 'idle', words: 'To come' },
  running: { glyph: '◐', tone: 'busy', words: 'Running' },
  paused: { glyph: '‖', tone: 'warn', words: 'Paused' },
  done: { glyph: '✓', tone: 'ok', words: 'Done' },
  skipped: { glyph: '–', tone: 'idle', words: 'Not needed' },
  failed: { glyph: '✕', tone: 'bad', words: 'Failed' },
};

export const VERDICT_LOOKS: Record<CheckVerdict, Look> = {
  passed: { glyph: '✓', tone: 'ok', words: 'Passed' },
  warned: { glyph: '▲', tone: 'warn', words: 'Tolerated' },
  failed: { glyph: '✕', tone: 'bad', words: 'Failed' },
  overridden: { glyph: '▲', tone: 'warn', words: 'Allowed by you' },
  skipped: { glyph: '–', tone: 'idle', words: 'Not checked' },
};

/** How long from now: `in 58 minutes`, `in 3 days`, `4 minutes ago`. */
export function fromNow(moment: number, now: number): string {
  const away = moment - now;
  const words = lengthWords(Math.abs(away));
  return away >= 0 ? `in ${words}` : `${words} ago`;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

function lengthWords(milliseconds: number): string {
  for (const [unit, length] of UNITS) {
    // Two hours and more are told in hours, less in minutes.
    if (milliseconds >= length * (unit === 'minute' ? 1 : 2)) {
      const count = Math.floor(milliseconds / length);
      return `${count} ${unit}${count === 1 ? '' : 's'}`;
    }
  }
  return 'less than a minute';
}

/** A moment as a person tells it: the time of day, with its date when that is not today. */
export function momentWords(moment: number, now: number): string {
  const time = formatTime(moment).slice(0, 5);
  const day = formatTimestamp(moment).slice(0, 10);
  return day === formatTimestamp(now).slice(0, 10) ? time : `${day} ${time}`;
}

/** The host of an address, as a person knows it; the whole when it is no address. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

/** From which character on a text is another than the one expected. */
export function differsFrom(expected: string, came: string): number {
  let at = 0;
  while (at < came.length && expected[at] === came[at]) at += 1;
  return at;
}
