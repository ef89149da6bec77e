/** Reads PDF on a thread of its own, which is ended when it takes too long. */
import 'pdfjs-dist/build/pdf.worker.min.mjs';
