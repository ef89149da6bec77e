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
    /** Set by the host before the page's own code runs (`given_to_the_page` in desktop.rs). */
    sightglassSnapshot?: Snapshot;
  }
}

/** The commands that read the record of a session, or without one that of the program. */
function recordReader(session: SessionId | null): RecordReader {
  return {
    trafficWindow: (query, offset, limit) => commands.trafficWindow(session, query, offset, limit),
    trafficDetail: (id) => commands.trafficDetail(session, id),
    trafficOperations: (query, offset, limit) =>
      commands.trafficOperations(session, query, offset, limit),
    trafficOperation: (query, offset, limit) =>
      commands.trafficOperation(session, query, offset, limit),
    trafficCausality: (id) => commands.trafficCausality(session, id),
    toolCalls: (server, tool, offset, limit) =>
      commands.toolCalls(session, server, tool, offset, limit),
    pastCall: (id) => commands.pastCall(session, id),
    trafficTimeline: (query) => commands.trafficTimeline(session, query),
    trafficTimelineStep: (query, from, step) =>
      commands.trafficTimelineStep(session, query, from, step),
    trafficTimelineOperation: (id) => commands.trafficTimelineOperation(session, id),
    payloadLines: (query, first, count) => commands.payloadLines(session, query, first, count),
    payloadText: (query) => commands.payloadText(session, query),
    searchPayload: (query, text) => commands.searchPayload(session, query, text),
    blobHex: (frame, pointer, first, count) =>
      commands.blobHex(session, frame, pointer, first, count),
    blobBase64: (frame, pointer) => commands.blobBase64(session, frame, pointer),
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
