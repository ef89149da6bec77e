/** A message of a channel, as the host sends it. */
export interface ChannelMessage {
  readonly index: number;
  readonly message: unknown;
}

/** Answers the commands of the window, in place of the host's IPC. */
export interface Ipc {
  invoke(command: string, args: Record<string, unknown>): Promise<unknown>;
}

declare global {
  interface Window {
    /** Gives a command another answer than its own. Tests set it, for what cannot be had for real. */
    rewriteAnswer?: (command: string, answer: unknown) => unknown;
  }
}

type Callback = (message: unknown) => void;

/**
 * Installs what `@tauri-apps/api` finds in a real window. `open` gets the function that hands a
 * message to one of the page's channels.
 */
export function installIpc(
  open: (deliver: (channel: number, message: ChannelMessage) => void) => Ipc,
) {
  const callbacks = new Map<number, Callback>();
  let last = 0;
  const rewritten = (command: string, answer: unknown) =>
    window.rewriteAnswer ? window.rewriteAnswer(command, answer) : answer;
  const ipc = open((channel, { index, message }) =>
    callbacks.get(channel)?.({ index, message: rewritten('channel', message) }),
  );
  Object.assign(window, {
    isTauri: true,
    __TAURI_INTERNALS__: {
      invoke: async (command: string, args: Record<string, unknown> = {}) =>
        rewritten(command, await ipc.invoke(command, args)),
      transformCallback(callback: Callback) {
        last += 1;
        callbacks.set(last, callback);
        return last;
      },
      unregisterCallback: (id: number) => callbacks.delete(id),
    },
  });
}
