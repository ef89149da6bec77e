import type { Backend } from './backend';
import type { SessionId } from './bindings';

/** The backend with an opened session in the place of the record. Nothing of the record is in it. */
export function sessionBackend(backend: Backend, session: SessionId): Backend {
  return {
    ...backend,
    trafficWindow: (query, offset, limit) => backend.sessionWindow(session, query, offset, limit),
    trafficDetail: (id) => backend.sessionDetail(session, id),
    payloadLines: (query, first, count) =>
      backend.sessionPayloadLines(session, query, first, count),
    payloadText: (query) => backend.sessionPayloadText(session, query),
    searchPayload: (query, text) => backend.sessionSearchPayload(session, query, text),
    blobHex: (frame, pointer, first, count) =>
      backend.sessionBlobHex(session, frame, pointer, first, count),
    blobBase64: (frame, pointer) => backend.sessionBlobBase64(session, frame, pointer),
    copyExchange: (id, form) => backend.copySessionExchange(session, id, form),
    savePart: (frame, pointer, name) => backend.saveSessionPart(session, frame, pointer, name),
    onTraffic: (listener) => backend.onSession(session, listener),
  };
}
