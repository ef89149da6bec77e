import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { renderMarkdown } from '@/lib/markdown/render';
import { visibleText } from '@/lib/visible-text';
import { showError, showNote } from '@/state/notices';
import { useAddress } from '@/widgets/address/use-address';
import styles from './result.module.css';
import { ADDRESS } from './texts';

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

interface Props {
  /** The address a link points to; no dialog without one. */
  address: string | undefined;
  onClose(): void;
}

/** Shows where a link from a server leads before anything is opened. */
function AddressDialog({ address, onClose }: Props) {
  const { opened, shown, open } = useAddress(address ?? '');
  const openIt = () => {
    void open().catch(showError);
    onClose();
  };
  const copy = () => {
    void navigator.clipboard.writeText(shown).then(() => showNote(ADDRESS.copied));
    onClose();
  };
  return (
    <Dialog
      title={ADDRESS.title}
      isOpen={address !== undefined}
      onClose={onClose}
      footer={<Button onPress={copy}>{ADDRESS.copy}</Button>}
      action={{ label: ADDRESS.open, isDisabled: opened === undefined, run: openIt }}
    >
      <p className="mb-4 break-anywhere code">{visibleText(shown)}</p>
      <p className="text-data faint">
        {opened === undefined ? ADDRESS.notOpened : ADDRESS.fromServer}
      </p>
    </Dialog>
  );
}
