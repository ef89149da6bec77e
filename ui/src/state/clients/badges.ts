import type { Client, ServerView } from '@/backend/bindings';

/** Two letters that stand for a client where its name has no room. */
const BADGES: Readonly<Record<Exclude<Client, 'mcp-json'>, string>> = {
  'claude-code': 'CC',
  codex: 'CX',
  opencode: 'OC',
  caliban: 'CA',
  'claude-desktop': 'CD',
  vscode: 'VS',
  'vscode-insiders': 'VI',
  vscodium: 'VM',
  'visual-studio': 'VT',
  cursor: 'CU',
  windsurf: 'WI',
  zed: 'ZE',
  gemini: 'GE',
  'copilot-cli': 'CP',
  cline: 'CL',
  'roo-code': 'RC',
  kiro: 'KI',
  'amazon-q': 'AQ',
  junie: 'JU',
  warp: 'WA',
  'lm-studio': 'LM',
  goose: 'GO',
  continue: 'CO',
};

/** A client that has a server. */
interface ClientBadge {
  readonly badge: string;
  readonly title: string;
  /** The scopes in which it has it. */
  readonly scopes: readonly string[];
}

/** Returns the clients that have a server; the own files of Sightglass are none. */
export function badgesOf({ target, clientTitle, scopeTitle, also }: ServerView): ClientBadge[] {
  const places = [...(target ? [{ target, clientTitle, scopeTitle }] : []), ...also];
  const badges = new Map<Client, ClientBadge>();
  for (const {
    target: { client },
    clientTitle: title,
    scopeTitle: scope,
  } of places) {
    if (client === 'mcp-json') continue;
    const scopes = [...(badges.get(client)?.scopes ?? []), scope];
    badges.set(client, { badge: BADGES[client], title, scopes });
  }
  return [...badges.values()];
}
