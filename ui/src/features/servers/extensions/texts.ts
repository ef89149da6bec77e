import type { ExtensionControl, ExtensionEffect } from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';

export const EXTENSIONS = {
  title: 'Extensions',
  meaning:
    'A server may offer other tools to a client that declares an extension. What you declare here counts for this server alone.',
  table: 'Extensions of both sides',
  extension: 'Extension',
  client: 'This client',
  server: 'Server',
  effect: 'Effect',
  declare: (title: string) => `Declare ${title}`,
  declared: 'declared',
  notDeclared: 'not declared',
  unknown: 'known once connected',
  byHand: 'Add extension…',
  byHandTitle: (server: string) => `Extensions declared to ${server}`,
  byHandLabel: 'Extensions',
  byHandMeaning:
    'A JSON object: the settings of each extension by its identifier. The server gets it as it stands here.',
  declareTitle: (title: string, server: string) => `Declare ${title} to ${server}?`,
  withdrawTitle: (title: string, server: string) => `Declare ${title} to ${server} no longer?`,
  reconnects:
    'The server is connected anew, and calls under way end. Its lists before and after are compared.',
  same: 'Connected anew. The server lists the same as before.',
  nextTime: 'It counts from the next connection on.',
  cancel: 'Cancel',
  close: 'Close',
  reconnect: 'Reconnect and compare',
  save: 'Save',
} as const;

/** This client's side where no switch decides it. */
export const CONTROLS: Record<Exclude<ExtensionControl, 'switch'>, string> = {
  serverOnly: 'Always on',
  signIn: 'Chosen under Sign-in',
};

export const EFFECTS: Record<ExtensionEffect, StatusLabel> = {
  inForce: { glyph: '✓', tone: 'ok', label: 'On' },
  clientOnly: { glyph: '○', tone: 'idle', label: 'Only this client' },
  serverOnly: { glyph: '▲', tone: 'warn', label: 'Only the server' },
  neither: { glyph: '○', tone: 'idle', label: 'Off' },
  otherEra: { glyph: '▲', tone: 'warn', label: 'Not in this protocol' },
  unknown: { glyph: '○', tone: 'idle', label: 'Not connected' },
};
