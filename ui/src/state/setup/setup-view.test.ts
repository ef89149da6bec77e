import { beforeEach, expect, it } from 'vitest';
import { useNavigation } from '@/state/navigation';
import { useServers } from '@/state/servers/servers';
import { SCOPES } from '@/test-support/configuration';
import { editConfig, useSetupView } from './setup-view';

const [server] = SCOPES.servers.filter(({ target }) => target !== null);
if (!server?.target) throw new Error('a sample without a server of a file');
const { id, name, target } = server;
const editing = { target, name, place: null };
const place = () => {
  const { place: where, tabs, sections } = useNavigation.getState();
  return [where, tabs[id], sections[id]];
};

beforeEach(() => {
  useServers.setState({ servers: SCOPES.servers });
  useNavigation.setState({ place: 'server', server: id, tabs: {}, sections: {} });
  useSetupView.setState({ editing: null, origin: null, client: null, explained: null });
});

it('edits an entry in the settings of its server, and leads back to where that began', () => {
  useNavigation.setState({ tabs: { [id]: 'tools' } });
  editConfig(editing);
  expect(place()).toEqual(['server', 'settings', 'definition']);
  expect(useSetupView.getState().editing).toEqual(editing);
  useSetupView.getState().endEditing();
  expect(useSetupView.getState().editing).toBeNull();
  expect(place().slice(0, 2)).toEqual(['server', 'tools']);
});

it('edits in Setup what was begun there, and stays there', () => {
  useNavigation.setState({ place: 'setup' });
  editConfig(editing);
  expect(place()[0]).toBe('setup');
  useSetupView.getState().endEditing();
  expect(place()[0]).toBe('setup');
});

it('edits the text of a file in Setup, and leads back to the server', () => {
  useNavigation.setState({ tabs: { [id]: 'settings' }, sections: { [id]: 'connection' } });
  editConfig({ ...editing, name: null });
  expect(place()[0]).toBe('setup');
  useSetupView.getState().endEditing();
  expect(place()).toEqual(['server', 'settings', 'connection']);
});

it('opens the files of a client at the server that was explained, and forgets another one’s file', () => {
  const { explain, openClient, select } = useSetupView.getState();
  select({ kind: 'file', target });
  explain(name);
  openClient('cursor', 'files');
  const { client, selected } = useSetupView.getState();
  expect(client).toBe('cursor');
  expect(selected).toEqual({ kind: 'servers', keys: new Set([`cursor\n${name}`]) });
});

it('begins at the server that one comes from, and stays where it was when it is left otherwise', () => {
  const { explain } = useSetupView.getState();
  explain('another');
  useNavigation.getState().openSetup();
  expect(useSetupView.getState().explained).toBeNull();
  explain('another');
  useNavigation.getState().openTests();
  useNavigation.getState().openSetup();
  expect(useSetupView.getState().explained).toBe('another');
});
