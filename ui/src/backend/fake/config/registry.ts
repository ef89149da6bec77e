import type { Candidate, ImportInput, RegistryPage, RegistryServer } from '../../bindings';
import { draftOfEntry, type Entry } from './text';

const DAY = 86_400_000;
const NEWEST = Date.UTC(2026, 10, 12);
const daysAgo = (days: number) => new Date(NEWEST - days * DAY).toISOString();
const PAGE = 6;

/** A registry without a network. Browser tests cut its line. */
export class FakeRegistry {
  isOffline = false;

  search(text: string, cursor: string | null): RegistryPage {
    this.reach();
    const matching = SERVERS.filter(({ name }) => name.includes(text.toLowerCase()));
    const from = Number(cursor ?? 0);
    const isMore = matching.length > from + PAGE;
    return {
      servers: matching.slice(from, from + PAGE),
      next: isMore ? String(from + PAGE) : null,
    };
  }

  versions(name: string): RegistryServer[] {
    this.reach();
    const latest = SERVERS.find((server) => server.name === name);
    if (!latest) throw { code: 'not_found', message: `There is no ${name}.`, hint: null };
    return [
      latest,
      { ...latest, version: '1.1.0', latest: false, published: daysAgo(40) },
      {
        ...latest,
        version: '0.9.2',
        latest: false,
        published: daysAgo(200),
        status: 'deprecated',
        candidates: [],
      },
    ];
  }

  private reach(): void {
    if (!this.isOffline) return;
    throw {
      code: 'offline',
      message: 'The registry could not be reached: dns error.',
      hint: 'Check the connection to the network, then try again.',
    };
  }
}

const input = (
  name: string,
  description: string,
  more: Partial<ImportInput> = {},
): ImportInput => ({
  name,
  title: name,
  description,
  required: false,
  secret: false,
  default: null,
  choices: [],
  ...more,
});

export function candidate(
  origin: string,
  name: string,
  entry: Entry,
  inputs: ImportInput[] = [],
  notes: string[] = [],
): Candidate {
  return { draft: draftOfEntry(name, entry), origin, inputs, notes, left_out: [] };
}

export const WEATHER_INPUTS: ImportInput[] = [
  input('WEATHER_API_KEY', 'A key of weather.example.com.', { required: true, secret: true }),
  input('UNITS', 'In which units it answers.', {
    default: 'metric',
    choices: ['metric', 'imperial'],
  }),
];

const WEATHER: Candidate[] = [
  candidate(
    'the npm package @acme/weather-mcp',
    'weather',
    {
      command: 'npx',
      args: ['-y', '@acme/weather-mcp@1.2.0'],
      env: { WEATHER_API_KEY: '${WEATHER_API_KEY}', UNITS: '${UNITS}' },
    },
    WEATHER_INPUTS,
  ),
  candidate('a remote server', 'weather', { url: 'https://weather.example.com/mcp' }),
];

const server = (
  name: string,
  title: string | null,
  description: string,
  candidates?: Candidate[],
): RegistryServer => {
  const short = name.split('/').at(-1) ?? name;
  const args = ['-y', `@${name.split('.').at(-1)}@1.2.0`];
  return {
    name,
    title,
    description,
    version: '1.2.0',
    status: 'active',
    published: daysAgo(0),
    latest: true,
    repository: `https://github.com/acme/${short}`,
    website: null,
    candidates: candidates ?? [candidate('the npm package', short, { command: 'npx', args })],
  };
};

const SERVERS: RegistryServer[] = [
  server(
    'io.github.acme/weather',
    'Weather',
    'Forecasts and warnings for any place, from the services of several countries.',
    WEATHER,
  ),
  server('io.github.acme/calendar', 'Calendar', 'Reads and writes the events of a calendar.'),
  server('com.example/search', null, 'Searches the web and returns pages as text.'),
  server('io.github.acme/maps', 'Maps', 'Routes, places and distances.'),
  server('io.github.ada/notes', 'Notes', 'Notes in a folder, found by what they say.'),
  server('io.github.ada/mail', null, 'Reads mail over IMAP; sends nothing.'),
  server('io.github.ada/tickets', 'Tickets', 'Issues of a tracker, with their history.'),
];
