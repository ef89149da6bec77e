import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { renderMarkdown } from '@/lib/markdown/render';
import { AddressDialog } from './AddressDialog';
import styles from './result.module.css';

interface MarkdownTextProps {
  text: string;
  /** Follows a link; returns false for one that leads out of the window. */
  onLink?: (address: string) => boolean;
}

/** Markdown, without anything in it that acts by itself. */
export default function MarkdownText({ text, onLink }: MarkdownTextProps) {
  const host = useRef<HTMLDivElement>(null);
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    host.current?.replaceChildren(renderMarkdown(text));
  }, [text]);
  const follow = (event: MouseEvent | KeyboardEvent) => {
    const link = (event.target as Element).closest<HTMLElement>('[data-address]');
    if (!link) return;
    event.preventDefault();
    const to = link.dataset.address ?? '';
    if (!onLink?.(to)) setAddress(to);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: acts for the links inside it. */}
      <div
        ref={host}
        className={styles.markdown}
        onClick={follow}
        onKeyDown={(event) => {
          if (event.key === 'Enter') follow(event);
        }}
      />
      <AddressDialog address={address} onClose={() => setAddress(undefined)} />
    </>
  );
}
