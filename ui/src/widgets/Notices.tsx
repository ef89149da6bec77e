import { X } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button, IconButton } from '@/components/Button';
import { Glyph } from '@/components/Glyph';
import { visibleLines } from '@/lib/visible-text';
import { ACTION_TIMEOUT, NOTE_TIMEOUT, type Notice, useNotices } from '@/state/notices';
import styles from './notices.module.css';

/** Milliseconds for which a press is meant for what was there before a notice came or went. */
const PRESS_GUARD = 300;

interface Size {
  width: number;
  height: number;
}

/** One notice at a time, over the foot of the panes. A second press on one goes to nothing below. */
export function Notices() {
  const notice = useNotices((state) => state.notices.at(-1));
  const [gone, setGone] = useState<Size | null>(null);
  useEffect(() => {
    if (!gone) return;
    const timer = setTimeout(() => setGone(null), PRESS_GUARD);
    return () => clearTimeout(timer);
  }, [gone]);
  const leave = useCallback(({ width, height }: Size) => {
    setGone((before) => ({
      width: Math.max(width, before?.width ?? 0),
      height: Math.max(height, before?.height ?? 0),
    }));
  }, []);
  return (
    <section aria-label="Messages" aria-live="polite" className={styles.region}>
      {gone && <div className={styles.gone} style={gone} />}
      {notice && <Line key={notice.id} notice={notice} onGone={leave} />}
    </section>
  );
}

/** The sign before a notice: a check mark stands for nothing but success. */
const GLYPHS = {
  done: { glyph: '✓', tone: 'ok' },
  info: { glyph: '○', tone: 'idle' },
  warning: { glyph: '▲', tone: 'warn' },
  error: { glyph: '✕', tone: 'bad' },
} as const satisfies Record<Notice['tone'], unknown>;

function Line({ notice, onGone }: { notice: Notice; onGone: (size: Size) => void }) {
  const { id, tone, title, hint, action } = notice;
  const dismiss = useNotices((state) => state.dismiss);
  const [isHeld, setHeld] = useState(false);
  // Other buttons afterwards: one that was pressed while it was disabled takes no press after that.
  const [isNew, setNew] = useState(true);
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => setNew(false), PRESS_GUARD);
    return () => clearTimeout(timer);
  }, []);
  useLayoutEffect(() => {
    const element = line.current;
    return () => {
      if (element) onGone({ width: element.offsetWidth, height: element.offsetHeight });
    };
  }, [onGone]);
  useEffect(() => {
    if (tone === 'error' || isHeld) return;
    const timer = setTimeout(() => dismiss(id), action ? ACTION_TIMEOUT : NOTE_TIMEOUT);
    return () => clearTimeout(timer);
  }, [id, tone, action, isHeld, dismiss]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it stays for as long as it is looked at
    <div
      ref={line}
      className={styles.line}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Glyph {...GLYPHS[tone]} />
      <p className={styles.content} role={tone === 'error' ? 'alert' : undefined}>
        <span>{visibleLines(title)}</span>{' '}
        {hint && <span className="remark">{visibleLines(hint)}</span>}
      </p>
      {action && (
        <Button
          key={String(isNew)}
          variant="quiet"
          isDisabled={isNew}
          onPress={() => {
            dismiss(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton
        key={`dismiss ${isNew}`}
        icon={X}
        label="Dismiss"
        isDisabled={isNew}
        onPress={() => dismiss(id)}
      />
    </div>
  );
}
