import type { ServerView } from '../../bindings';
import { entryOf } from '../servers';
import { CLIENTS, PLUGIN_FILES } from './clients';
import { FakeConfiguration, keyOf } from './fake-configuration';
import { type Entries, textOf } from './text';

/** The files that define these servers, with a broken one where a scenario has one. */
export function configurationOf(servers: readonly ServerView[]): FakeConfiguration {
  const entries = new Map<string, Entries>();
  for (const server of servers) {
    if (server.scope === null) continue;
    const add = (scope: string, entry: Entries[string]) => {
      const key = keyOf({ client: 'mcp-json', scope });
      entries.set(key, { ...entries.get(key), [server.name]: entry });
    };
    const entry = JSON.parse(entryOf(server) || '{}') as Entries[string];
    for (const { scope } of server.shadowed) {
      add(scope, { ...entry, args: entry.args?.slice(0, -1) });
    }
    add(server.scope, server.disabled ? { ...entry, disabled: true } : entry);
  }
  const texts = Object.fromEntries([...entries].map(([key, value]) => [key, textOf(value)]));
  return new FakeConfiguration({ texts, variables: { PROJECT_DIR: '/srv/acme-web' } });
}

/** Something of everything: precedence, policy, approval, mistakes, other clients. */
export function scopesConfiguration(): FakeConfiguration {
  return new FakeConfiguration({
    texts: {
      'mcp-json:chimera': textOf({
        memory: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
        fetch: { command: 'uvx', args: ['mcp-server-fetch'] },
      }),
      'mcp-json:user': textOf({
        memory: {
          command: 'npx',
          args: ['-y', '@modelcontextprotocol/server-memory'],
          env: { MEMORY_FILE: '~/memory.json' },
        },
        github: {
          command: 'npx',
          args: ['-y', '@modelcontextprotocol/server-github'],
          env: { GITHUB_TOKEN: 'ghp_5f8e2a91c04b7d36' },
        },
        time: { command: 'uvx', args: ['mcp-server-time'] },
        slack: {
          command: 'npx',
          args: ['-y', 'slack-mcp'],
          cwd: '/srv/acme-web/tools',
          disabled: true,
        },
      }),
      'mcp-json:project_root': textOf({
        postgres: {
          command: 'uvx',
          args: ['postgres-mcp', '--access-mode=unrestricted'],
          env: { DATABASE_URI: 'postgres://localhost/acme' },
        },
        github: { type: 'http', url: 'https://api.githubcopilot.com/mcp/' },
      }),
      'mcp-json:project': textOf({
        filesystem: {
          command: 'npx',
          args: ['-y', '@modelcontextprotocol/server-filesystem', '${PROJECT_DIR:-.}'],
        },
        postgres: {
          command: 'uvx',
          args: ['postgres-mcp', '--access-mode=restricted'],
          env: { DATABASE_URI: '${DATABASE_URI}' },
        },
        linear: { type: 'http', url: 'https://mcp.linear.app/mcp' },
        deploy: {
          command: './scripts/deploy-mcp.sh',
          args: ['--environment', 'staging', '--region', 'eu-central-1'],
          env: { DEPLOY_TOKEN: '${DEPLOY_TOKEN}', LOG_LEVEL: 'debug' },
        },
        search: { args: ['--verbose'] },
        shell: { command: 'npx', args: ['-y', 'mcp-shell', '--allow-all'] },
      }),
      'mcp-json:local': textOf({
        github: {
          command: 'npx',
          args: ['-y', '@modelcontextprotocol/server-github', '--read-only'],
          env: { GITHUB_TOKEN: '${GITHUB_TOKEN}' },
        },
        time: { command: 'uvx', args: ['mcp-server-time', '--local-timezone=Europe/Berlin'] },
      }),
      'claude-code:user': textOf({
        sentry: { type: 'http', url: 'https://mcp.sentry.dev/mcp' },
        github: { type: 'http', url: 'https://api.githubcopilot.com/mcp/' },
      }),
      'claude-code:local': textOf({
        playwright: { command: 'npx', args: ['-y', '@playwright/mcp'] },
      }),
      'cursor:user': textOf({
        figma: { url: 'http://127.0.0.1:3845/mcp' },
        memory: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
      }),
      'vscode:user':
        '{\n  "servers": {\n    "azure": {\n      "command": "npx"\n    "args": []\n  }\n}\n',
    },
    waiting: ['deploy'],
    refused: { shell: 'denies servers named shell' },
    variables: {
      PROJECT_DIR: '/srv/acme-web',
      GITHUB_TOKEN: 'ghp_from_the_shell',
      DEPLOY_TOKEN: 'set',
    },
  });
}

/** Five hundred servers over twenty files. */
export function hugeConfiguration(): FakeConfiguration {
  const [mcpJson, ...others] = CLIENTS;
  if (!mcpJson) throw new Error('no clients');
  const files = [...PLUGIN_FILES, ...mcpJson.files];
  const texts: Record<string, Entries> = {};
  for (let index = 0; index < 500; index += 1) {
    const name = `${WORDS[index % WORDS.length]}-${String(index).padStart(3, '0')}`;
    const definitions = 1 + (index % 4);
    for (let step = 0; step < definitions; step += 1) {
      const file = files[(index * 7 + step * 3) % files.length];
      const key = `mcp-json:${file?.scope}`;
      texts[key] = {
        ...texts[key],
        [name]:
          index % 41 === 0
            ? { args: [] }
            : {
                command: 'npx',
                args: ['-y', `@acme/${name}`, `--port=${3000 + index + step}`],
                ...(index % 17 === 0 && { disabled: true }),
              },
      };
    }
  }
  return new FakeConfiguration({
    clients: [{ ...mcpJson, files }, ...others],
    texts: Object.fromEntries(
      Object.entries(texts).map(([key, entries]) => [key, textOf(entries)]),
    ),
  });
}

const WORDS = ['files', 'search', 'mail', 'calendar', 'deploy', 'metrics', 'tickets', 'notes'];
