import { formatQuantity } from '@/lib/format';

export const CONFIRMATION = {
  title: (tool: string) => `Call ${tool}?`,
  destructive: 'This tool declares that it may destroy something (`destructiveHint`).',
  untitled: 'Send this call?',
  ambiguous:
    'Its parameters name a tool in a way that servers may read otherwise. All of them are shown.',
  ruleAsks: (client: string) =>
    `The rules of ${client}, to which calls of this server are held, ask before this call.`,
  noneAllows: (client: string) =>
    `No rule of ${client}, to which calls of this server are held, allows this call.`,
  server: 'Server',
  identity: 'As',
  rule: 'Rule',
  file: 'File',
  line: (file: string, line: number | null) => (line === null ? file : `${file}:${line}`),
  calls: 'Sent',
  times: (count: number) => formatQuantity(count, 'time'),
  arguments: 'Arguments',
  forSession: 'Do not ask again about this tool until Sightglass closes',
  more: (count: number) =>
    `${formatQuantity(count, 'more call')} ${count === 1 ? 'waits' : 'wait'}.`,
  refuse: 'Don’t call',
  call: 'Call',
} as const;
