import type { StepState } from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';
import { STEP_STATES } from './texts';

/** The status of a step: a glyph, a label and a colour. */
export const STEP_LABELS: Record<StepState, StatusLabel> = {
  pending: { glyph: '○', tone: 'idle', label: STEP_STATES.pending },
  running: { glyph: '◐', tone: 'busy', label: STEP_STATES.running },
  paused: { glyph: '‖', tone: 'warn', label: STEP_STATES.paused },
  done: { glyph: '✓', tone: 'ok', label: STEP_STATES.done },
  guessed: { glyph: '○', tone: 'warn', label: STEP_STATES.guessed },
  skipped: { glyph: '–', tone: 'idle', label: STEP_STATES.skipped },
  failed: { glyph: '✕', tone: 'bad', label: STEP_STATES.failed },
};
