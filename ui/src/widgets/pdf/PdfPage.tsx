import type { PDFDocumentProxy, PDFPageProxy, RenderTask } from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'react';
import styles from './pdf.module.css';
import { PDF } from './texts';

/** Pages this near to the visible part are drawn, in the browser's words. */
const DRAWN_AROUND = '600px';
/** The most pixels of one drawn page. */
const MAX_PIXELS = 12 * 1024 * 1024;
/** A page stands so high until its own measures are known: those of A4. */
const USUAL_RATIO = Math.SQRT2;

interface Props {
  document: PDFDocumentProxy;
  /** From 1. */
  number: number;
  /** The element that scrolls the pages. */
  scroller: HTMLElement;
}

/** One page. It is drawn while it is near, and takes no more than its room otherwise. */
export function PdfPage({ document, number, scroller }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isNear, setNear] = useState(false);
  const [ratio, setRatio] = useState(USUAL_RATIO);
  const [isBroken, setBroken] = useState(false);

  useEffect(() => {
    if (!frame.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => setNear(entry?.isIntersecting === true),
      { root: scroller, rootMargin: DRAWN_AROUND },
    );
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, [scroller]);

  useEffect(() => {
    const target = canvas.current;
    if (!isNear || !target) return;
    let task: RenderTask | undefined;
    let isOver = false;
    const draw = async () => {
      const page = await document.getPage(number);
      if (isOver) return;
      const viewport = viewportOf(page, target.clientWidth);
      setRatio(viewport.height / viewport.width);
      target.width = Math.floor(viewport.width);
      target.height = Math.floor(viewport.height);
      // Annotations are links and forms of a stranger's: none is drawn.
      task = page.render({ canvas: target, viewport, annotationMode: 0 });
      await task.promise;
    };
    draw().catch(() => {
      // What was given up is drawn again when it is near again.
      if (!isOver) setBroken(true);
    });
    return () => {
      isOver = true;
      task?.cancel();
      // Gives the memory of the picture back.
      target.width = 0;
      target.height = 0;
    };
  }, [document, number, isNear]);

  const label = PDF.page(number, document.numPages);
  return (
    <div ref={frame} className={styles.page}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        className={styles.canvas}
        style={{ aspectRatio: `1 / ${ratio}` }}
      />
      {isBroken && <p className="bad">✕ {PDF.notDrawn}</p>}
      <p className={styles.number}>{label}</p>
    </div>
  );
}

/** The measures in which a page fills `width` pixels of the window, sharp but bounded. */
function viewportOf(page: PDFPageProxy, width: number) {
  const whole = page.getViewport({ scale: 1 });
  const wanted = (Math.max(1, width) / whole.width) * Math.min(window.devicePixelRatio, 2);
  const most = Math.sqrt(MAX_PIXELS / Math.max(1, whole.width * whole.height));
  return page.getViewport({ scale: Math.min(wanted, most) });
}
