import {
  getDocument,
  InvalidPDFException,
  type PDFDocumentProxy,
  PDFWorker,
  VerbosityLevel,
} from 'pdfjs-dist';
import { PDF } from './texts';

/** A PDF that is open, on a thread of its own. */
export interface OpenPdf {
  document: PDFDocumentProxy;
  close(): void;
}

/** The files that the build lays beside the page. */
const DATA = new URL('pdf/', document.baseURI).href;
/** Milliseconds within which a document is read. A file can be made so that it never ends. */
const OPEN_TIMEOUT = 30_000;
/** The largest picture within a page, in pixels; larger ones are left out. */
const MAX_IMAGE_PIXELS = 64 * 1024 * 1024;

/**
 * Opens a PDF that a server sent. Nothing of it runs and nothing is fetched from elsewhere: no
 * script and no form, and the fonts and character maps that it leaves out are those of the app.
 * Rejects with a message for the user.
 */
export async function openPdf(base64: string, signal: AbortSignal): Promise<OpenPdf> {
  const data = bytesOf(base64);
  const thread = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' });
  // The types leave out that a port is taken.
  const port = thread as unknown as null;
  const worker = new PDFWorker({ port, verbosity: VerbosityLevel.ERRORS });
  const close = () => {
    worker.destroy();
    thread.terminate();
  };
  const task = getDocument({
    data,
    worker,
    isEvalSupported: false,
    enableXfa: false,
    useWasm: false,
    cMapUrl: `${DATA}cmaps/`,
    standardFontDataUrl: `${DATA}standard_fonts/`,
    wasmUrl: `${DATA}wasm/`,
    useWorkerFetch: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    verbosity: VerbosityLevel.ERRORS,
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const givenUp = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(PDF.tooSlow)), OPEN_TIMEOUT);
    signal.addEventListener('abort', () => reject(new Error(PDF.closed)));
    thread.addEventListener('error', () => reject(new Error(PDF.noReader)));
  });
  try {
    const document = await Promise.race([task.promise, givenUp]);
    return { document, close };
  } catch (reason) {
    close();
    throw new Error(messageOf(reason));
  } finally {
    clearTimeout(timer);
  }
}

function messageOf(reason: unknown): string {
  // Its class is not exported.
  if (reason instanceof Error && reason.name === 'PasswordException') return PDF.locked;
  if (reason instanceof InvalidPDFException) return PDF.broken;
  return reason instanceof Error ? reason.message : String(reason);
}

function bytesOf(base64: string): Uint8Array {
  let text: string;
  try {
    text = atob(base64.replace(/\s+/g, ''));
  } catch {
    throw new Error(PDF.noBase64);
  }
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}
