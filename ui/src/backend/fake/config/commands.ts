import type { Backend } from '../../backend';
import type { FakeWorld } from '../world';
import { check, explain, trust } from './explain';
import type { FakeConfiguration } from './fake-configuration';
import { draftOfEntry, entriesOf, readText, textOf, withDraft } from './text';

type ConfigurationCommands = Pick<
  Backend,
  | 'configuration'
  | 'explainConfiguration'
  | 'planConfiguration'
  | 'applyConfiguration'
  | 'configurationText'
  | 'readConfigurationText'
  | 'draftIntoText'
  | 'checkDraft'
  | 'configurationBackups'
  | 'definitionDraft'
  | 'revokeApproval'
  | 'trustRequest'
  | 'approveServer'
>;

/** The commands that are about configuration files. */
export function configurationCommands(
  world: FakeWorld,
  configuration: FakeConfiguration,
): ConfigurationCommands {
  return {
    configuration: async () => configuration.view(),
    explainConfiguration: async (client, name) => explain(configuration, client, name),
    planConfiguration: async (action) => configuration.plan(action),
    applyConfiguration: async (plan) => configuration.apply(plan),
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
    async approveServer(server) {
      configuration.approve(world.server(server).name);
      return null;
    },
  };
}
