import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, IconButton } from '@/components/Button';
import { Glyph } from '@/components/Glyph';
import { visibleLines } from '@/lib/visible-text';
import { ACTION_TIMEOUT, NOTE_TIMEOUT, type Notice, useNotices } from '@/state/notices';
import styles from './notices.module.css';

/** One notice at a time, over the foot of the panes. */
export function Notices() {
  const notice = useNotices((state) => state.notices.at(-1));
  return (
    <section aria-label="Messages" aria-live="polite" className={styles.region}>
      {notice && <Line key={notice.id} notice={notice} />}
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

function Line({ notice }: { notice: Notice }) {
  const { id, tone, title, hint, action } = notice;
  const dismiss = useNotices((state) => state.dismiss);
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (tone === 'error' || isHeld) return;
    const timer = setTimeout(() => dismiss(id), action ? ACTION_TIMEOUT : NOTE_TIMEOUT);
    return () => clearTimeout(timer);
  }, [id, tone, action, isHeld, dismiss]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it stays for as long as it is looked at
    <div
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
          variant="quiet"
          onPress={() => {
            dismiss(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton label="Dismiss" onPress={() => dismiss(id)}>
        <X size={13} aria-hidden="true" />
      </IconButton>
    </div>
  );
}
