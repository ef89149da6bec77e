import type { FailureReport, Phase } from '@/backend/bindings';
import { classes } from './classes';
import styles from './status-glyph.module.css';

/** The colour of a status; never without a glyph and a word. */
export type Tone = 'ok' | 'warn' | 'bad' | 'busy' | 'idle';

const LOOK: Record<Phase, { glyph: string; tone: Tone; words: string }> = {
  disconnected: { glyph: '○', tone: 'idle', words: 'Disconnected' },
  connecting: { glyph: '◐', tone: 'busy', words: 'Connecting' },
  initializing: { glyph: '◐', tone: 'busy', words: 'Initializing' },
  handshaking: { glyph: '◐', tone: 'busy', words: 'Handshaking' },
  listing_resources: { glyph: '◐', tone: 'busy', words: 'Listing resources' },
  listing_tools: { glyph: '◐', tone: 'busy', words: 'Listing tools' },
  listing_prompts: { glyph: '◐', tone: 'busy', words: 'Listing prompts' },
  ready: { glyph: '●', tone: 'ok', words: 'Ready' },
  executing: { glyph: '◉', tone: 'busy', words: 'Executing' },
  cleaning_up: { glyph: '◐', tone: 'busy', words: 'Cleaning up' },
  failed: { glyph: '✕', tone: 'bad', words: 'Failed' },
};

/** A phase in words, as a person reads it. */
export function phaseWords(phase: Phase): string {
  return LOOK[phase].words;
}

/** Whether a connection can be used. */
export function isLive(phase: Phase): boolean {
  return phase === 'ready' || phase === 'executing';
}

/** Whether a connection is being made or closed. */
export function isUnderWay(phase: Phase): boolean {
  return !['disconnected', 'ready', 'executing', 'failed'].includes(phase);
}

export interface StatusGlyphProps {
  phase: Phase;
  failure?: FailureReport | null;
}

/** The picture of a phase. Always stands beside its words, so it has no name of its own. */
export function StatusGlyph({ phase, failure }: StatusGlyphProps) {
  const wantsSignIn = failure?.failure.kind === 'sign_in_required';
  const { glyph, tone } = wantsSignIn ? { glyph: '▲', tone: 'warn' as const } : LOOK[phase];
  return <Glyph glyph={glyph} tone={tone} />;
}

/** The picture of any status, beside its words. */
export function Glyph({ glyph, tone }: { glyph: string; tone: Tone }) {
  return (
    <span className={classes(styles.glyph, styles[tone])} aria-hidden="true">
      {glyph}
    </span>
  );
}
