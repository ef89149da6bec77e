import type { Backend } from '../backend';
import { fakeBackend } from '../fake/fake-backend';
import type { Scenario } from '../fake/scenarios';
import type { ChannelMessage, Ipc } from './ipc';

/** Answers the commands from the fake backend. */
export function fakeIpc(
  scenario: Scenario,
  deliver: (channel: number, message: ChannelMessage) => void,
): Ipc {
  const backend = fakeBackend(scenario);
  return {
    async invoke(command, args) {
      if (command === 'subscribe_events') {
        await backend.onEvents(intoChannel(args, deliver));
        return null;
      }
      if (command === 'subscribe_traffic') {
        await backend.onTraffic(intoChannel(args, deliver));
        return null;
      }
      // The generated bindings name the arguments in the order in which the command takes them.
      const name = command.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
      const answer = backend[name as keyof Backend] as (...args: unknown[]) => Promise<unknown>;
      return answer.apply(backend, Object.values(args));
    },
  };
}

function intoChannel(
  args: Record<string, unknown>,
  deliver: (channel: number, message: ChannelMessage) => void,
): (message: unknown) => void {
  const { id } = args.channel as { id: number };
  let index = 0;
  return (message) => {
    deliver(id, { index, message });
    index += 1;
  };
}
