/** Texts about changes of what a server offers. */
import { formatCount, formatQuantity } from '@/lib/format';

/** Changes of what a server shows of itself, and findings in it. */
export const SURFACE = {
  show: 'Show changes',
  accept: 'Take over',
  acceptMeaning: 'From now on compare with the lists as they are.',
  keep: 'Remind me',
  keepMeaning: 'Keep comparing with what is stored, and tell each time, until you take over.',
  pin: 'Hold to this version',
  pinMeaning: 'Compare with the lists as they are now, until you take over others.',
  compare: 'Compare with…',
  compareTitle: (server: string) => `Compare ${server}`,
  compareMeaning:
    'Connects once more beside your connection where that is needed, and closes it afterwards.',
  counterpart: 'Compare with',
  otherServer: 'Another server',
  recording: 'As it was recorded in a session file',
  era: { modern: 'Itself, modern generation', legacy: 'Itself, legacy generation' },
  eraDetail: { modern: 'Revision 2026-07-28', legacy: 'Revision 2025-11-25 and earlier' },
  identity: (name: string) => `Itself as ${name}`,
  identityDetail: 'Another account that is signed in',
  withExtension: (name: string) => `Itself with ${name}`,
  withoutExtension: (name: string) => `Itself without ${name}`,
  extensionDetail: 'An extension that the client declares',
  reconnect: 'Itself, connected once more',
  reconnectDetail: 'Finds lists that are another each time',
  ignore: 'Ignore',
  ignoreAll: 'Ignore all',
  ignored: (count: number, rule: string) => `Ignored ${formatQuantity(count, 'finding')} (${rule})`,
  allIgnored: (count: number) => `Ignored: ${formatQuantity(count, 'finding')}`,
  undo: 'Undo',
  showAgain: 'Show again',
  showAll: (count: number) => `Show all ${formatCount(count)}`,
  showMessages: 'Show messages',
  rugPullShort: 'A text that a model reads is another one now (possible rug pull).',
  rugPull:
    'A text that a model reads is another one now. Read it before you go on: this is how a server can turn against its users (a “rug pull”).',
  own: 'You have it restarted whenever its source changes: no alarm is raised.',
};
