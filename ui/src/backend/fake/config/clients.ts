import type { Client, ClientFields, FileFormat, Writer } from '../../bindings';
import { HOME, PROJECT } from '../servers';

/** A file of a client, as its table has it. */
export interface FakeFile {
  scope: string;
  title: string;
  label: string;
  path: string;
  section: string;
  format: FileFormat;
  writer: Writer;
  note: string;
  isTracked: boolean;
}

export interface FakeClient {
  client: Client;
  title: string;
  precedence: string;
  expresses: ClientFields;
  /** The weakest first. */
  files: FakeFile[];
}

const EVERYTHING: ClientFields = {
  transports: ['stdio', 'http', 'sse', 'ws'],
  working_directory: true,
  headers: true,
  disabled: true,
  era: true,
  phase_limits: true,
  startup_limit: true,
  tool_limit: true,
  enabled_tools: true,
  disabled_tools: true,
  variable: '${NAME}',
  sign_in: {
    off: true,
    client_id: true,
    client_metadata_url: true,
    scopes: true,
    callback_port: true,
    bearer_variable: true,
  },
};

/** What clients without extensions of ours can say. */
const PLAIN: ClientFields = {
  ...EVERYTHING,
  transports: ['stdio', 'http', 'sse'],
  working_directory: false,
  era: false,
  phase_limits: false,
  startup_limit: false,
  tool_limit: false,
  enabled_tools: false,
  disabled_tools: false,
  sign_in: {
    off: false,
    client_id: false,
    client_metadata_url: false,
    scopes: false,
    callback_port: false,
    bearer_variable: false,
  },
};

function file(
  scope: string,
  title: string,
  label: string,
  rest: Partial<FakeFile> & { note: string },
): FakeFile {
  const path = label.startsWith('~/')
    ? `${HOME}/${label.slice(2)}`
    : label.startsWith('/')
      ? label
      : `${PROJECT}/${label}`;
  return {
    scope,
    title,
    label,
    path,
    section: 'mcpServers',
    format: 'json',
    writer: 'user',
    isTracked: false,
    ...rest,
  };
}

export const CLIENTS: readonly FakeClient[] = [
  {
    client: 'mcp-json',
    title: '.mcp.json',
    precedence:
      'A server of a stronger file, further to the left, replaces those of the same name whole; nothing of them is merged.',
    expresses: EVERYTHING,
    files: [
      file('chimera', 'Chimera', '~/.chimera/mcp.json', {
        writer: 'program',
        note: 'What Chimera set up for you.',
      }),
      file('user', 'User', '~/.claude/.mcp.json', { note: 'Your servers, in every project.' }),
      file('project_root', 'Project root', '.mcp.json', {
        writer: 'project',
        isTracked: true,
        note: 'The project’s servers, where most clients look.',
      }),
      file('project', 'Project', '.claude/.mcp.json', {
        writer: 'project',
        isTracked: true,
        note: 'The project’s servers.',
      }),
      file('local', 'Local', '.claude/.mcp.local.json', {
        note: 'Your servers in this project alone, kept out of version control.',
      }),
    ],
  },
  {
    client: 'claude-code',
    title: 'Claude Code',
    precedence: 'Local stands above project, project above user. A managed file replaces them all.',
    expresses: PLAIN,
    files: [
      file('user', 'User', '~/.claude.json', { note: 'Your servers, in every project.' }),
      file('project', 'Project', '.mcp.json', {
        writer: 'project',
        isTracked: true,
        note: 'The project’s servers; each person approves them once.',
      }),
      file('local', 'Local', '~/.claude.json', {
        section: `projects["${PROJECT}"].mcpServers`,
        note: 'Your servers in this project alone.',
      }),
      file('managed', 'Managed', '/etc/claude-code/managed-mcp.json', {
        writer: 'administrator',
        note: 'Set by whoever manages this computer. While it exists, nothing else counts.',
      }),
    ],
  },
  {
    client: 'claude-desktop',
    title: 'Claude Desktop',
    precedence: 'There is one file.',
    expresses: { ...PLAIN, transports: ['stdio'], headers: false, variable: null },
    files: [
      file('user', 'User', '~/.config/Claude/claude_desktop_config.json', {
        note: 'Servers of Claude Desktop.',
      }),
    ],
  },
  {
    client: 'vscode',
    title: 'VS Code',
    precedence: 'A server of the workspace replaces the one of the same name of the profile.',
    expresses: { ...PLAIN, disabled: false, variable: '${env:NAME}' },
    files: [
      file('user', 'Profile', '~/.config/Code/User/mcp.json', {
        section: 'servers',
        format: 'jsonc',
        note: 'Servers of your profile.',
      }),
      file('workspace', 'Workspace', '.vscode/mcp.json', {
        section: 'servers',
        format: 'jsonc',
        writer: 'project',
        isTracked: true,
        note: 'Servers of this workspace.',
      }),
    ],
  },
  {
    client: 'cursor',
    title: 'Cursor',
    precedence: 'A server of the project replaces the one of the same name of the user.',
    expresses: { ...PLAIN, disabled: false, variable: '${env:NAME}' },
    files: [
      file('user', 'User', '~/.cursor/mcp.json', { note: 'Your servers in Cursor.' }),
      file('project', 'Project', '.cursor/mcp.json', {
        writer: 'project',
        isTracked: true,
        note: 'The project’s servers in Cursor.',
      }),
    ],
  },
];

/** Enough files to fill a screen with columns. */
export const PLUGIN_FILES: readonly FakeFile[] = Array.from({ length: 15 }, (_, index) =>
  file(
    `plugin-${index + 1}`,
    `Plugin ${index + 1}`,
    `~/.claude/plugins/plugin-${index + 1}/.mcp.json`,
    {
      note: 'Servers that a plugin brings.',
    },
  ),
);
