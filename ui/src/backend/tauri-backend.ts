import { Channel } from '@tauri-apps/api/core';
import { type Backend, SWITCHED } from './backend';
import { commands, type InspectorEvent, type RecordRevision, type Snapshot } from './bindings';

declare global {
  interface Window {
    /** Set by the host before the page's own code runs (`given_to_the_page` in desktop.rs). */
    sightglassSnapshot?: Snapshot;
  }
}

/** The host itself. */
export function tauriBackend(): Backend {
  const { subscribeEvents, subscribeTraffic, subscribeSession, notify, ...rest } = commands;
  return {
    ...rest,
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
    async onTraffic(listener) {
      const channel = new Channel<RecordRevision>();
      channel.onmessage = listener;
      await subscribeTraffic(channel);
      return () => {
        channel.onmessage = () => {};
      };
    },
    async onSession(session, listener) {
      const channel = new Channel<RecordRevision>();
      channel.onmessage = listener;
      await subscribeSession(session, channel);
      return () => {
        channel.onmessage = () => {};
      };
    },
  };
}
