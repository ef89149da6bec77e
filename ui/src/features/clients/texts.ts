/** All texts of what clients get, in one place. */
import type {
  CandidateBasis,
  ChangeKind,
  Client,
  Effect,
  ItemKind,
  NameWarningKind,
  PermissionStep,
  Provider,
  ResultVerdict,
} from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';
import { formatCount, formatQuantity } from '@/lib/format';
import type { CountedModel } from '@/state/clients/in-clients';

export const SECTION_TITLES = {
  names: 'Names',
  sent: 'As sent',
  cost: 'Cost',
  choice: 'Tools on/off',
  rules: 'Permissions',
  ask: 'Ask a model',
} as const;

export const ASK = {
  title: 'Ask a model',
  meaning: (client: string) =>
    `The model gets your prompt and this list of tools, as ${client} names them, and says which it would call.`,
  noModel: 'No model is set up',
  noModelHint:
    'Add one in the settings: Anthropic’s or any that speaks Chat Completions, also one on this machine. Its key is kept in the secret storage, and nothing is sent before you press Ask.',
  settings: 'Open settings',
  model: 'Model',
  count: 'Count tokens',
  counted: (tokens: string) => `${tokens} tokens by the provider’s own count`,
  prompt: 'Prompt',
  promptHint: 'What a user would say',
  ask: 'Ask',
  asking: 'Asking…',
  nothingRuns: 'No tool is called.',
  answer: 'Answer',
  outcome: (calls: number, model: string) =>
    calls === 0
      ? `${model} would call no tool.`
      : `${model} would make ${formatQuantity(calls, 'call')}.`,
  callOf: (name: string) => `Call of ${name}`,
  openCall: 'Open this call',
  from: 'the model’s answer',
  expected: 'The tool that you expected',
  whyNot: 'Why not?',
} as const;

export const MODEL = {
  client: 'Client',
  sections: 'What the client gets',
  noun: 'tools',
  nounOfAll: 'tools, prompts or resources',
  noClient: 'No client is known',
  unknown: (client: string) => `What ${client} sends its model is not known`,
  unknownHint: 'Its names and its interface are not documented in a form that can be applied here.',
  servers: (servers: number, connected: number, client: string) =>
    `${formatQuantity(servers, 'server')} of ${client} · ${formatCount(connected)} connected`,
  connectAll: (count: number) =>
    count === 1 ? 'Connect 1 server' : `Connect ${formatCount(count)} servers`,
  noServers: (client: string) => `${client} has no servers here`,
  noServersHint: 'Choose another client, or add a server to its configuration.',
  noneConnected: 'No server of this client is connected',
  listWarning: (server: string) => `This is of the part of the list of ${server} that was read.`,
  noneConnectedHint:
    'A server says what it offers once it is connected. Connect all of them with the button above, or one at a time in the list of servers.',
  asking: 'Looking…',
  server: 'Server',
  tool: 'Tool',
  noMatch: (filter: string) => `Nothing matches “${filter}”`,
} as const;

export const NAMES = {
  list: 'Names',
  filter: 'Filter names',
  kind: 'Kind',
  item: 'On the server',
  name: 'In the client',
  notes: 'Notes',
  all: 'All',
  withWarnings: (count: number) => `Warnings ${formatCount(count)}`,
  shown: 'Names that are shown',
  find: 'Find a name',
  findLabel: 'Name out of a log',
  findHint: 'Paste a name as a client writes it, for instance mcp__server__tool.',
  candidates: 'What it may mean',
  notFound: 'No client would write this name for anything here.',
  of: (item: string, server: string) => `${item} of ${server}`,
  place: (server: string, client: string) => `of ${server}, as ${client} writes it`,
  openItem: 'Open',
  selected: 'Selected name',
  chooseOne: 'Choose a name to see what is said about it.',
  copy: 'Copy name',
  copied: 'Name copied',
  fine: 'Nothing is wrong with this name.',
  rules: 'Rule of names',
  none: 'No names',
  noneHint: 'The server lists nothing that this client names.',
  noWarnings: 'No name has a warning',
  noWarningsHint: 'None collides, is cut, or is refused by the model interface.',
  notConnected: (servers: string) => `Not connected, so without names: ${servers}.`,
} as const;

export const KINDS: Record<ItemKind, string> = {
  tool: 'Tool',
  prompt: 'Prompt',
  resource: 'Resource',
};

export const NAME_WARNINGS: Record<NameWarningKind, StatusLabel> = {
  collision: { glyph: '✕', tone: 'bad', label: 'Collision' },
  refused: { glyph: '✕', tone: 'bad', label: 'Refused' },
  tooLong: { glyph: '▲', tone: 'warn', label: 'Too long' },
  truncated: { glyph: '▲', tone: 'warn', label: 'Truncated' },
  hashed: { glyph: '▲', tone: 'warn', label: 'Hash added' },
  replaced: { glyph: '·', tone: 'idle', label: 'Characters replaced' },
  notSent: { glyph: '·', tone: 'idle', label: 'Not sent' },
};

export const BASES: Record<CandidateBasis, StatusLabel> = {
  listed: { glyph: '✓', tone: 'ok', label: 'listed' },
  knownServer: { glyph: '▲', tone: 'warn', label: 'the server does not list it' },
  form: { glyph: '?', tone: 'idle', label: 'by its form alone' },
};

export const SENT = {
  list: 'Tools as sent',
  provider: 'Model interface',
  view: 'View',
  tools: 'Tools',
  portability: 'Findings',
  filter: 'Filter tools',
  changes: 'Changes',
  unchanged: 'as it is',
  changeCount: (count: number) => formatQuantity(count, 'change'),
  convertedBy: 'As converted by',
  original: 'As the server gives it',
  sent: 'As it is sent',
  comparison: 'Original and sent tool',
  choose: 'Choose a tool',
  chooseHint: 'Its definition is shown as the server gives it, beside what the interface gets.',
  noChanges: 'Nothing is changed, and nothing is left out.',
  moreChanges: 'There are more changes than are listed.',
  tooLong: 'The texts are too long to be compared line by line.',
  ofList: 'The whole list',
  none: 'No tools',
  noneHint: 'The server lists none.',
  places: 'Places',
  findings: 'Findings by model interface',
  reason: 'Finding',
  interface: 'Interface',
  count: 'Places',
  portable: 'Every interface takes these tools as they are',
  portableHint: 'Nothing is refused, beyond a limit, or left out of a schema.',
  chooseFinding: 'Choose a finding',
  chooseFindingHint: 'The tools that have it are listed, with the path in each.',
  leftOut: (count: number) => `${formatCount(count)} more findings are not listed.`,
  morePlaces: (count: number) => `and ${formatCount(count)} more`,
  root: 'the tool itself',
} as const;

export const CHANGES: Record<ChangeKind, StatusLabel> = {
  refused: { glyph: '✕', tone: 'bad', label: 'Refused' },
  limitExceeded: { glyph: '✕', tone: 'bad', label: 'Beyond a limit' },
  dropped: { glyph: '▲', tone: 'warn', label: 'Left out' },
  rewritten: { glyph: '≠', tone: 'idle', label: 'Rewritten' },
  added: { glyph: '+', tone: 'idle', label: 'Added' },
  notSent: { glyph: '·', tone: 'idle', label: 'Not sent' },
};

export const RULE_LABELS: Record<string, StatusLabel> = {
  'provider-refuses': { glyph: '✕', tone: 'bad', label: 'Refused' },
  'provider-limit': { glyph: '✕', tone: 'bad', label: 'Beyond a limit' },
  'provider-drops': { glyph: '▲', tone: 'warn', label: 'Left out' },
};

export const COST = {
  /** Says which figure of tokens stands here, and which elsewhere. */
  head: (client: string) =>
    `Counted tool by tool, as ${client} sends them. Sidebar, Overview, Tools and Setup show an estimate instead: four characters a token.`,
  list: 'Tools by cost',
  figures: 'Cost of the whole list',
  window: 'Context window',
  windowSize: (tokens: number) => `${formatCount(tokens)} tokens`,
  model: 'Counted for',
  whole: 'As the server sends it',
  sent: 'As the client sends it',
  names: 'Names alone, with tool search',
  tokens: 'Tokens',
  tools: 'Tools',
  byServer: 'By server',
  byProfile: 'By profile',
  noProfile: 'No profile has servers of this client. Setup saves one.',
  connectedOf: (connected: number, servers: number) =>
    `${formatCount(connected)} of ${formatCount(servers)} connected`,
  share: 'Share of the heaviest',
  bytes: 'Bytes',
  ofWindow: (tokens: number) => `Of ${formatCount(tokens)}`,
  description: 'Description',
  schema: 'Schema',
  name: 'Name',
  counting: 'Counting…',
  estimate:
    '≈ marks an estimate: the vocabulary of this model is not public, so its tokens are counted as OpenAI’s o200k has them.',
  exact: 'Counted with o200k, the vocabulary of these models.',
  none: 'No tools',
  noneHint: 'The server lists none, so that they cost nothing.',
  method: 'Counting',
  search: 'Tool search',
  searchSetting: 'ENABLE_TOOL_SEARCH',
  searchOn: 'On: the model gets the names, and loads what it needs.',
  searchOff: 'Off: the model gets every tool whole.',
  searchOther: (client: string) =>
    `${client} sends every tool. Tool search is Claude Code’s; this is what it would do with the same list.`,
  query: 'Try a query',
  queryHint: 'Words, +required, or select:NAME',
  found: 'Tools that the query finds',
  foundNone: (searched: number) => `None of ${formatQuantity(searched, 'tool')} is found.`,
  score: (score: number) => formatQuantity(score, 'point'),
  byName: 'by name',
  results: 'Results of calls',
  limits: (client: string, warning: number, cut: number | null) =>
    cut === null
      ? `${client} warns from ${formatCount(warning)} tokens, and cuts nothing by tokens.`
      : `${client} warns from ${formatCount(warning)} tokens and cuts after ${formatCount(cut)}.`,
  noLimits: (client: string) => `No limits of ${client} are known.`,
  limitSet: (variable: string) => `Set by ${variable}.`,
  result: 'Measure a result',
  resultHint: 'Paste the text of a result',
} as const;

export const TOOL_SEARCH_SETTINGS = [
  { value: 'environment', label: 'As in the environment' },
  { value: 'auto', label: 'auto (10 %)' },
  { value: 'auto:5', label: 'auto:5' },
  { value: 'auto:1', label: 'auto:1' },
  { value: 'true', label: 'true' },
  { value: 'false', label: 'false' },
] as const;

export const COUNTED_MODELS: readonly { value: CountedModel; label: string }[] = [
  { value: 'gpt-5', label: 'GPT (o200k)' },
  { value: 'claude', label: 'Claude ≈' },
  { value: 'gemini', label: 'Gemini ≈' },
  { value: 'other', label: 'Another model ≈' },
];

export const RESULT_VERDICTS: Record<ResultVerdict, StatusLabel> = {
  within: { glyph: '✓', tone: 'ok', label: 'Within the limits' },
  warned: { glyph: '▲', tone: 'warn', label: 'The client warns' },
  cut: { glyph: '✕', tone: 'bad', label: 'The client cuts it' },
};

export const CHOICE = {
  list: 'Tools on/off',
  filter: 'Filter tools',
  box: 'On',
  isOn: 'on',
  isOff: 'off',
  change: 'Change',
  willBeOn: 'switched on',
  willBeOff: 'switched off',
  on: (on: number, all: number) => `${formatCount(on)} of ${formatQuantity(all, 'tool')} on`,
  ofTokens: (tokens: string) => `of ${tokens} tokens`,
  discard: 'Discard',
  review: 'Review change',
  explain:
    'A click, Space or Enter switches a tool. Nothing is written before you have looked at the change.',
  explainRules: (file: string) =>
    `A tool that is off is denied in ${file}, and not put before the model. Nothing is written before you have looked at the change.`,
  readOnly: 'The file of this entry cannot be written here.',
  noTools: 'The server lists none.',
  none: (client: string) =>
    `${client} cannot switch single tools on and off in the entry of a server`,
  noneButRules: 'Its rules decide on each call, and take no tool from the model: see Permissions.',
  noneHint: 'It keeps that elsewhere, where Sightglass does not write.',
  elsewhere: (server: string, client: string) =>
    `${server} is not in the configuration of ${client}`,
  elsewhereHint: (client: string) =>
    `Its tools can be switched once it stands in a file of ${client}. Copy it there in Setup.`,
} as const;

export const RULES = {
  list: 'Permissions',
  filter: 'Filter rules',
  effect: 'Effect',
  rule: 'Rule',
  level: 'Level',
  place: 'File',
  global: 'All servers',
  none: (client: string) => `${client} has no rules here`,
  noneHint: 'Each call is decided by its default. These files would hold rules:',
  noneRead: 'None of the files that may hold rules exists.',
  unknown: (client: string) => `No rules of ${client} are known`,
  unknownHint:
    'Its permissions are not documented in a form that can be applied here, so nothing is said about its calls.',
  read: (count: number) => `${formatQuantity(count, 'file')} read`,
  line: (file: string, line: number | null) => (line === null ? file : `${file}:${line}`),
  tryCall: 'Try a call',
  kind: 'What is tried',
  call: 'A call',
  question: 'A question of the server',
  typeTool: 'Name of the tool',
  verdict: 'Verdict',
  enterTool: 'Name a tool to see what would become of a call.',
  decidedBy: 'Decided by',
  noRule: 'No rule decides.',
  step: 'Step',
  ignored: 'Disregarded',
  callsFromHere: 'Calls from Sightglass',
  hold: (server: string) => `Hold calls of ${server} to these rules`,
  holdMeaning:
    'What the rules deny is not sent then, and you are asked where they ask. A question of the server that they deny is declined.',
  heldToOther: (client: string) =>
    `They are held to the rules of ${client} now. These would take their place.`,
} as const;

/** The order in which the rules of a client decide. */
export function orderOf(client: Client): string {
  switch (client) {
    case 'codex':
      return 'Order: `enabled`, `enabled_tools`, `disabled_tools`, the `approval_mode` of the tool, `default_tools_approval_mode`, and else what the tool declares of itself.';
    case 'opencode':
      return 'Order: the last rule that matches decides, else allow. Rules of single agents come after these, and are not looked at.';
    case 'caliban':
      return 'Order: global deny, server deny, server ask, server allow, global ask, global allow, else ask.';
    default:
      return 'Order: deny, ask, allow, else ask. The first rule that matches decides.';
  }
}

export const EFFECTS: Record<Effect, StatusLabel> = {
  deny: { glyph: '✕', tone: 'bad', label: 'Deny' },
  ask: { glyph: '?', tone: 'warn', label: 'Ask' },
  allow: { glyph: '✓', tone: 'ok', label: 'Allow' },
};

export const STEPS: Record<PermissionStep, string> = {
  globalDeny: 'Global deny',
  serverDeny: 'Server deny',
  serverAsk: 'Server ask',
  serverAllow: 'Server allow',
  globalAsk: 'Global ask',
  globalAllow: 'Global allow',
  lastMatch: 'Last match',
  default: 'Default',
};

export const PROVIDERS: readonly { value: Provider; label: string }[] = [
  { value: 'anthropicMessages', label: 'Anthropic Messages' },
  { value: 'openaiResponses', label: 'OpenAI Responses' },
  { value: 'openaiChat', label: 'OpenAI Chat Completions' },
  { value: 'gemini', label: 'Gemini' },
  { value: 'bedrockConverse', label: 'Bedrock Converse' },
];
