import { useEffect, useState } from 'react';
import { Button } from '@/components/Button';
import { type OpenPdf, openPdf } from './open-pdf';
import { PdfPage } from './PdfPage';
import styles from './pdf.module.css';
import { PDF } from './texts';

/** The pages that are shown of one document. */
const MAX_PAGES = 1000;

interface Props {
  /** The document as base64. */
  base64: string;
  name: string;
  onSave(): void;
}

/** The pages of a PDF below each other, each drawn once it is come by. */
export default function PdfView({ base64, name, onSave }: Props) {
  const [opened, setOpened] = useState<OpenPdf | { problem: string }>();
  useEffect(() => {
    const ending = new AbortController();
    let pdf: OpenPdf | undefined;
    setOpened(undefined);
    openPdf(base64, ending.signal).then(
      (open) => {
        pdf = open;
        if (ending.signal.aborted) open.close();
        else setOpened(open);
      },
      (reason: unknown) => {
        if (ending.signal.aborted) return;
        setOpened({ problem: reason instanceof Error ? reason.message : String(reason) });
      },
    );
    return () => {
      ending.abort();
      pdf?.close();
    };
  }, [base64]);
  const [scroller, setScroller] = useState<HTMLElement | null>(null);

  if (!opened) return <p className="p-0 pad-y-3 remark">{PDF.loading}</p>;
  if ('problem' in opened) {
    return (
      <div className="stack items-start gap-4 pad-x-7 pad-y-6" role="alert">
        <p>
          <span className="bad">✕</span> {opened.problem}
        </p>
        <p className="remark">{PDF.saveHint}</p>
        <Button onPress={onSave}>{PDF.save}</Button>
      </div>
    );
  }
  const { document } = opened;
  const count = Math.min(document.numPages, MAX_PAGES);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable.
    <section ref={setScroller} className={styles.pages} aria-label={PDF.label(name)} tabIndex={0}>
      <p className="p-0 pad-y-3 remark">
        {PDF.pages(document.numPages)} {count < document.numPages && PDF.cut(count)}
      </p>
      {scroller &&
        Array.from({ length: count }, (_, index) => (
          <PdfPage
            // biome-ignore lint/suspicious/noArrayIndexKey: pages never move
            key={index}
            document={document}
            number={index + 1}
            scroller={scroller}
          />
        ))}
    </section>
  );
}
