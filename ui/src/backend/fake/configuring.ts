import type { Backend } from '../backend';
import type { ConfigurationView } from '../bindings';
import type { FakeWorld } from './world';

type Configuring = Pick<
  Backend,
  | 'configuration'
  | 'explainConfiguration'
  | 'definitionDraft'
  | 'checkDraft'
  | 'planConfiguration'
  | 'applyConfiguration'
  | 'configurationText'
  | 'readConfigurationText'
  | 'draftIntoText'
  | 'configurationBackups'
  | 'trustRequest'
  | 'approveServer'
  | 'revokeApproval'
  | 'importCandidates'
  | 'searchRegistry'
  | 'exportServers'
  | 'saveExport'
>;

async function refuse(): Promise<never> {
  throw {
    code: 'invalid_input',
    message: 'Without a host there are no configuration files of other clients.',
    hint: null,
  };
}

/** Without a host no client has files. */
export function fakeConfiguring(_world: FakeWorld): Configuring {
  const none: ConfigurationView = { revision: 1, clients: [], policy: [], undo: null, redo: null };
  return {
    configuration: async () => none,
    configurationBackups: async () => [],
    explainConfiguration: refuse,
    definitionDraft: refuse,
    checkDraft: refuse,
    planConfiguration: refuse,
    applyConfiguration: refuse,
    configurationText: refuse,
    readConfigurationText: refuse,
    draftIntoText: refuse,
    trustRequest: refuse,
    approveServer: refuse,
    revokeApproval: refuse,
    importCandidates: refuse,
    searchRegistry: refuse,
    exportServers: refuse,
    saveExport: refuse,
  };
}
