/** All texts of the resources and templates, in one place. */
import { formatQuantity, listOf } from '@/lib/format';

export const RESOURCES = {
  noun: 'resources',
  resources: 'Resources',
  templates: 'Templates',
  kind: 'Kind of resource',
  subscribedMark: '◉ subscribed',
  chooseResource: 'Choose a resource',
  chooseTemplate: 'Choose a template',
  resourceHint: 'It is read and shown by its type.',
  templateHint: 'Its variables make a URI, which can then be read.',
} as const;

export const RESOURCE = {
  notListed: 'The server does not list this resource.',
  read: 'Read',
  readAgain: 'Read again',
  subscribe: 'Subscribe',
  unsubscribe: 'Unsubscribe',
  readOnChange: 'Read again on change',
  subscribed: '◉ Subscribed',
  notRead: 'Not read yet',
  notReadHint:
    'Text and JSON are shown as such, images and sounds as themselves, other data as a hex dump.',
  uri: 'URI',
  updates: (count: number, wasRead: boolean) =>
    wasRead
      ? `● ${formatQuantity(count, 'update')} since the last read`
      : `● ${formatQuantity(count, 'update')}, not read yet`,
  withoutValue: (names: readonly string[]) => `Without a value: ${listOf(names)}`,
} as const;

/** The age of what is shown. */
export const FRESHNESS = {
  read: (time: string) => `Read at ${time}`,
  kept: (time: string) => `Kept copy of ${time}`,
  freshFor: (time: string) => `fresh for ${time}`,
  expired: 'no longer fresh',
  changed: 'changed since',
  notTold: 'the server does not say for how long it holds',
  scope: {
    public: 'The server lets anybody keep this (cacheScope public).',
    private: 'The server lets this account alone keep this (cacheScope private).',
  },
} as const;
