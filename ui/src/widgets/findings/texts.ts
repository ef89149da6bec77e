/** All texts about verdicts and findings. */
import type { RequirementLevel, Verdict, VerdictCounts } from '@/backend/bindings';
import type { GlyphProps, StatusLabel } from '@/components/Glyph';
import type { CheckState } from '@/state/checks/verdict';

export const FINDINGS = {
  evidence: 'Evidence',
} as const;

export const VERDICTS: Record<Verdict, StatusLabel> = {
  passed: { glyph: '✓', tone: 'ok', label: 'Passed' },
  failed: { glyph: '✕', tone: 'bad', label: 'Failed' },
  error: { glyph: '▲', tone: 'bad', label: 'Not judged' },
  warning: { glyph: '▲', tone: 'warn', label: 'Warning' },
  overridden: { glyph: '▲', tone: 'warn', label: 'Allowed by you' },
  note: { glyph: '·', tone: 'idle', label: 'Note' },
  skipped: { glyph: '○', tone: 'idle', label: 'Skipped' },
  notApplicable: { glyph: '–', tone: 'idle', label: 'Not applicable' },
};

/** Glyphs of a verdict on a server, or on a part of its checks. Words stand beside them. */
export const CHECK_STATES: Record<CheckState, GlyphProps> = {
  failed: { glyph: '✕', tone: 'bad' },
  warning: { glyph: '▲', tone: 'warn' },
  running: { glyph: '◐', tone: 'busy' },
  passed: { glyph: '●', tone: 'ok' },
  open: { glyph: '○', tone: 'idle' },
};

export const LEVELS: Record<RequirementLevel, string> = { must: 'MUST', should: 'SHOULD' };

/** Order of verdicts. What failed stands first: a narrow window cuts the end off. */
const ORDER: readonly Verdict[] = [
  'failed',
  'error',
  'warning',
  'overridden',
  'note',
  'passed',
  'skipped',
  'notApplicable',
];

/** A number of verdicts in words. */
export interface VerdictCount {
  verdict: Verdict;
  words: string;
}

/** Returns the numbers of verdicts that there are: `3 failed`, `12 passed`. */
export function verdictCounts(counts: VerdictCounts): VerdictCount[] {
  return ORDER.filter((verdict) => counts[verdict] > 0).map((verdict) => ({
    verdict,
    words: `${counts[verdict]} ${VERDICTS[verdict].label.toLowerCase()}`,
  }));
}
