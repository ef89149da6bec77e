import { Channel } from '@tauri-apps/api/core';
import type { Backend } from './backend';
import { commands, type InspectorEvent, type TrafficPulse } from './bindings';

/** The host itself. */
export function tauriBackend(): Backend {
  const { subscribeEvents, subscribeTraffic, ...rest } = commands;
  return {
    ...rest,
    async onEvents(listener) {
      const channel = new Channel<InspectorEvent[]>();
      channel.onmessage = listener;
      await subscribeEvents(channel);
      return () => {
        channel.onmessage = () => {};
      };
    },
    async onTraffic(listener) {
      const channel = new Channel<TrafficPulse>();
      channel.onmessage = listener;
      await subscribeTraffic(channel);
      return () => {
        channel.onmessage = () => {};
      };
    },
  };
}
