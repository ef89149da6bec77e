import { Channel } from '@tauri-apps/api/core';
import { type Backend, type RecordReader, SWITCHED } from './backend';
import {
  commands,
  type InspectorEvent,
  type RecordRevision,
  type SessionId,
  type Snapshot,
} from './bindings';

declare global {
  interface Window {
    /** Read from the page before the code of the window runs (`app/frame-start.ts`). */
    sightglassSnapshot?: Snapshot | undefined;
  }
}

/** The commands that read the record of a session, or without one that of the program. */
function recordReader(session: SessionId | null): RecordReader {
  return {
    listTraffic: (query, offset, limit) => commands.listTraffic(session, query, offset, limit),
    getTrafficDetail: (id) => commands.getTrafficDetail(session, id),
    listTrafficOperations: (query, offset, limit) =>
      commands.listTrafficOperations(session, query, offset, limit),
    getTrafficOperation: (query, offset, limit) =>
      commands.getTrafficOperation(session, query, offset, limit),
    getTrafficCausality: (id) => commands.getTrafficCausality(session, id),
    listToolCalls: (server, tool, offset, limit) =>
      commands.listToolCalls(session, server, tool, offset, limit),
    getPastCall: (id) => commands.getPastCall(session, id),
    getTrafficTimeline: (query) => commands.getTrafficTimeline(session, query),
    getTrafficTimelineStep: (query, from, step) =>
      commands.getTrafficTimelineStep(session, query, from, step),
    getTrafficTimelineOperation: (id) => commands.getTrafficTimelineOperation(session, id),
    getPayloadLines: (query, first, count) =>
      commands.getPayloadLines(session, query, first, count),
    getPayloadText: (query) => commands.getPayloadText(session, query),
    searchPayload: (query, text) => commands.searchPayload(session, query, text),
    getBlobHex: (frame, pointer, first, count) =>
      commands.getBlobHex(session, frame, pointer, first, count),
    getBlobBase64: (frame, pointer) => commands.getBlobBase64(session, frame, pointer),
    copyExchange: (id, form) => commands.copyExchange(session, id, form),
    savePart: (frame, pointer, name) => commands.savePart(session, frame, pointer, name),
    async onTraffic(listener) {
      const channel = new Channel<RecordRevision>();
      channel.onmessage = listener;
      await commands.subscribeTraffic(session, channel);
      return () => {
        channel.onmessage = () => {};
      };
    },
  };
}

/** The host itself. */
export function tauriBackend(): Backend {
  const { subscribeEvents, subscribeTraffic, notify, ...rest } = commands;
  return {
    ...rest,
    ...recordReader(null),
    readerOf: recordReader,
    given: sessionStorage.getItem(SWITCHED) ? null : (window.sightglassSnapshot ?? null),
    async notify(title, body, onClick) {
      const channel = new Channel<null>();
      channel.onmessage = onClick;
      await notify(title, body, channel);
    },
    async onEvents(listener) {
      const channel = new Channel<InspectorEvent[]>();
      channel.onmessage = listener;
      await subscribeEvents(channel);
      return () => {
        channel.onmessage = () => {};
      };
    },
  };
}
