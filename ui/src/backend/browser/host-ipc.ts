import type { ChannelMessage, Ipc } from './ipc';

type Message =
  | { readonly type: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly type: 'refusal'; readonly id: number; readonly error: unknown }
  | ({ readonly type: 'channel'; readonly channel: number } & ChannelMessage);

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** Sends the commands to the browser host (`tests/browser_host`), over one WebSocket for each page. */
export function hostIpc(
  url: string,
  deliver: (channel: number, message: ChannelMessage) => void,
): Ipc {
  const socket = new WebSocket(url);
  const opened = new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve();
    socket.onerror = () => reject(new Error('The browser host refused the connection.'));
  });
  // Each command reports it; none has to wait for it.
  opened.catch(() => {});
  const waiting = new Map<number, Waiting>();
  let last = 0;
  socket.onclose = () => {
    for (const { reject } of waiting.values()) reject(new Error('The browser host has ended.'));
    waiting.clear();
  };
  socket.onmessage = (event: MessageEvent<string>) => {
    const message = JSON.parse(event.data) as Message;
    if (message.type === 'channel') {
      deliver(message.channel, message);
      return;
    }
    const command = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === 'answer') command?.resolve(message.answer);
    else command?.reject(message.error);
  };
  return {
    async invoke(command, args) {
      await opened;
      last += 1;
      const id = last;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        socket.send(JSON.stringify({ id, command, args }));
      });
    },
  };
}
