import type { Backend } from '../../backend';
import type { ExportRequest, ExportView } from '../../bindings';
import type { FakeWorld } from '../world';
import { check, explain, trust } from './explain';
import type { FakeConfiguration } from './fake-configuration';
import { importCandidates, sampleBundle } from './import';
import type { FakeRegistry } from './registry';
import { draftOfEntry, entriesOf, readText, textOf, withDraft } from './text';

type ConfigurationCommands = Pick<
  Backend,
  | 'configuration'
  | 'explainConfiguration'
  | 'planConfiguration'
  | 'applyConfiguration'
  | 'applyConfigurationOutside'
  | 'configurationText'
  | 'readConfigurationText'
  | 'draftIntoText'
  | 'checkDraft'
  | 'configurationBackups'
  | 'definitionDraft'
  | 'revokeApproval'
  | 'trustRequest'
  | 'approveServer'
  | 'importCandidates'
  | 'searchRegistry'
  | 'registryVersions'
  | 'chooseBundle'
  | 'readBundle'
  | 'exportServers'
  | 'saveExport'
>;

/** The commands that are about configuration files. */
export function configurationCommands(
  world: FakeWorld,
  configuration: FakeConfiguration,
  registry: FakeRegistry,
): ConfigurationCommands {
  return {
    configuration: async () => configuration.view(),
    explainConfiguration: async (client, name) => explain(configuration, client, name),
    planConfiguration: async (action) => configuration.plan(action),
    applyConfiguration: async (plan) => configuration.apply(plan),
    applyConfigurationOutside: async (plan) => configuration.apply(plan),
    configurationText: async (target) => configuration.text(target),
    readConfigurationText: async (_target, text) => readText(text),
    draftIntoText: async (target, text, name, draft) => {
      const isServers = configuration.file(target).section === 'servers';
      return textOf(withDraft(entriesOf(text), name, draft), isServers ? 'servers' : 'mcpServers');
    },
    checkDraft: async (_target, draft) => check(draft),
    configurationBackups: async () => configuration.backupViews(),
    definitionDraft: async (target, name) =>
      draftOfEntry(name, configuration.entry(target, name) ?? {}),
    async revokeApproval(server) {
      configuration.revoke(world.server(server).name);
      return null;
    },
    trustRequest: async (server) => trust(configuration, world.server(server).name),
    importCandidates: async (source) => importCandidates(source),
    searchRegistry: async (text, cursor) => registry.search(text, cursor),
    registryVersions: async (name) => registry.versions(name),
    chooseBundle: async () => sampleBundle('/home/ada/Downloads/weather.mcpb'),
    readBundle: async (path) => sampleBundle(path),
    exportServers: async (request) => exported(configuration, request),
    saveExport: async (_request, suggestedName) => `/home/ada/Documents/${suggestedName}`,
    async approveServer(server) {
      configuration.approve(world.server(server).name);
      return null;
    },
  };
}

/** Servers in the form of a client, their secrets replaced unless they are asked for. */
function exported(
  configuration: FakeConfiguration,
  { servers, client, include_secrets: withSecrets }: ExportRequest,
): ExportView {
  const replaced: string[] = [];
  const entries = servers.map(({ target, name }) => {
    const entry = configuration.entry(target, name) ?? {};
    if (withSecrets || !entry.env) return [name, entry];
    const env = Object.entries(entry.env).map(([key, value]) => {
      if (!/TOKEN|KEY|SECRET/.test(key) || value.includes('${')) return [key, value];
      replaced.push(key);
      return [key, `\${${key}}`];
    });
    return [name, { ...entry, env: Object.fromEntries(env) }];
  });
  const section = client === 'vscode' ? 'servers' : 'mcpServers';
  return {
    text: textOf(Object.fromEntries(entries), section),
    format: 'json',
    lost: [],
    refused: [],
    replaced,
    suggested_name: 'mcp.json',
  };
}
