import type { FailureReport, Phase } from '@/backend/bindings';
import { Glyph, type GlyphProps } from '@/components/Glyph';
import { wantsSignIn } from '@/state/servers/phases';

const BUSY: GlyphProps = { glyph: '◐', tone: 'busy' };
const SIGN_IN_REQUIRED: GlyphProps = { glyph: '▲', tone: 'warn' };

const GLYPHS: Record<Phase, GlyphProps> = {
  disconnected: { glyph: '○', tone: 'idle' },
  connecting: BUSY,
  initializing: BUSY,
  handshaking: BUSY,
  listingResources: BUSY,
  listingTools: BUSY,
  listingPrompts: BUSY,
  ready: { glyph: '●', tone: 'ok' },
  executing: { glyph: '◉', tone: 'busy' },
  cleaningUp: BUSY,
  failed: { glyph: '✕', tone: 'bad' },
};

/** The picture of a phase, beside its text. */
export function StatusGlyph({ phase, failure }: { phase: Phase; failure?: FailureReport | null }) {
  return <Glyph {...(wantsSignIn(failure) ? SIGN_IN_REQUIRED : GLYPHS[phase])} />;
}
