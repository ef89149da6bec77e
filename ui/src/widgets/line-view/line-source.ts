import type { Backend } from '@/backend/backend';
import type { FrameId, LinePage, PayloadQuery } from '@/backend/bindings';

/** A source of lines, a window at a time. */
export interface LineSource {
  /** Tells one text from another. */
  key: string;
  load(first: number, count: number): Promise<LinePage>;
}

/** The lines of a payload on record. */
export function payloadSource(backend: Backend, query: PayloadQuery): LineSource {
  return {
    key: `${query.frame} ${query.form} ${query.pointer}`,
    load: (first, count) => backend.getPayloadLines(query, first, count),
  };
}

/** A hex dump of the base64 string at `pointer`. */
export function hexSource(backend: Backend, frame: FrameId, pointer: string): LineSource {
  return {
    key: `${frame} hex ${pointer}`,
    load: (first, count) => backend.getBlobHex(frame, pointer, first, count),
  };
}
