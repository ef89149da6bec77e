import { useEffect } from 'react';
import { useBackend } from '@/backend/backend';
import type { Theme } from '@/backend/bindings';
import { useUndo } from '@/features/setup/use-undo';
import { visibleText } from '@/lib/visible-text';
import { useAction } from '@/state/actions';
import { checkAll } from '@/state/checks/check-all';
import { type CheckPart, useChecks } from '@/state/checks/checks';
import { useDialogs } from '@/state/dialogs';
import { openGuide } from '@/state/guide';
import { useNavigation } from '@/state/navigation';
import { showError, showNote } from '@/state/notices';
import { canBeConnected, connect, reconnect, startServer } from '@/state/servers/connecting';
import { groupServers } from '@/state/servers/groups';
import { isAtRest } from '@/state/servers/obstacle';
import { isLive, isUnderWay } from '@/state/servers/phases';
import { moved, saveOrder } from '@/state/servers/server-order';
import { isUsable, useServer, useServers } from '@/state/servers/servers';
import { saveSettings } from '@/state/settings';
import { targetOf } from '@/state/setup/configuration';
import { editConfig, useSetupView } from '@/state/setup/setup-view';
import { useSnapshot } from '@/state/snapshot';
import {
  loadRequests,
  runRequests,
  useRequestFiles,
  writeStubs,
} from '@/state/tests/request-files';
import { DEFAULT_ZOOM, nextZoom, previousZoom } from '@/state/zoom';
import { focusMain, useFocusOnArrival, useKeptFocus, walkPanes } from './focus';
import { guideHere } from './guide-places';
import { pinged, RESET_ZOOM, zoomed } from './texts';
import { useAuthActions } from './use-auth-actions';

/** Offers every action that is the window's own. */
export function useAppActions(): void {
  const backend = useBackend();
  const { show } = useDialogs.getState();
  useAction('palette.open', () => show({ kind: 'palette' }));
  useAction('palette.jump', () => show({ kind: 'palette' }));
  useAction('pane.next', () => walkPanes(1));
  useAction('pane.previous', () => walkPanes(-1));
  useAction('rules.edit', () => show({ kind: 'answer-rules' }));
  useAction('settings.open', () => show({ kind: 'settings' }));
  useAction('log.show', () => void backend.showLog().catch(showError));
  useAction('shortcuts.open', () => show({ kind: 'shortcuts' }));
  useAction('guide.open', () => openGuide(guideHere(document.activeElement)));
  useAction('server.add', () => show({ kind: 'add-server' }));
  useAction('setup.open', () => {
    const { place, openSetup } = useNavigation.getState();
    // Once more leads back from a client to all of them.
    if (place === 'setup') useSetupView.getState().openClient(null);
    openSetup();
  });
  useAction('clients.open', () => {
    const { client, openClient } = useSetupView.getState();
    openClient(client ?? 'claude-code', 'gets');
    useNavigation.getState().openSetup();
  });
  useAction('tests.open', () => useNavigation.getState().openTests());
  useAction('setup.import', () => show({ kind: 'import-servers' }));
  useAction('bundles.remove', () => show({ kind: 'unused-bundles' }));
  useThemeActions();
  useZoomActions();
  useFolderActions();
  useServerActions();
  useAllServersActions();
  useNumberActions();
  useAuthActions();
  useTestActions();
  useUndo();
  useFocusOnArrival();
  useKeptFocus();
}

function useThemeActions(): void {
  const backend = useBackend();
  const choose = (theme: Theme) => void saveSettings(backend, { theme }).catch(showError);
  useAction('theme.system', () => choose('system'));
  useAction('theme.light', () => choose('light'));
  useAction('theme.dark', () => choose('dark'));
}

function useZoomActions(): void {
  const backend = useBackend();
  const zoom = useSnapshot((state) => state.settings.zoom);
  const choose = (next: number | undefined) => {
    if (next === undefined) return;
    saveSettings(backend, { zoom: next }).catch(showError);
    showNote(
      zoomed(next),
      next === DEFAULT_ZOOM ? null : { label: RESET_ZOOM, run: () => choose(DEFAULT_ZOOM) },
    );
  };
  useAction('zoom.in', () => choose(nextZoom(useSnapshot.getState().settings.zoom)));
  useAction('zoom.out', () => choose(previousZoom(useSnapshot.getState().settings.zoom)));
  useAction('zoom.reset', () => choose(DEFAULT_ZOOM), { when: zoom !== DEFAULT_ZOOM });
}

function useFolderActions(): void {
  const backend = useBackend();
  const { answer, isHome } = useSnapshot((state) => state.folder);
  const { show } = useDialogs.getState();
  const isTrusted = answer === 'trusted';
  useAction('folder.trust', () => show({ kind: 'folder-trust', server: null }), {
    when: !isTrusted,
  });
  useAction('folder.distrust', () => void backend.distrustFolder().catch(showError), {
    when: isTrusted && !isHome,
  });
}

function useServerActions(): void {
  const backend = useBackend();
  const server = useServer(useNavigation((state) => state.server));
  const phase = server?.status.phase ?? 'disconnected';
  const isAtRest = phase === 'disconnected' || phase === 'failed';
  const { show } = useDialogs.getState();
  const id = server?.id ?? '';
  const begin = () => {
    connect(backend, id);
    focusMain();
  };
  useAction('server.connect', begin, { when: server !== undefined && isAtRest });
  const end = () => {
    backend.disconnect(id).catch(showError);
    focusMain();
  };
  useAction('server.disconnect', end, {
    when: server !== undefined && (!isAtRest || isUnderWay(phase)),
  });
  const restart = () => {
    reconnect(backend, id);
    focusMain();
  };
  useAction('server.restart', restart, { when: server !== undefined && !isAtRest });
  const ping = () =>
    void backend
      .ping(id)
      .then((roundTrip) => showNote(pinged(visibleText(server?.name ?? ''), roundTrip)))
      .catch(showError);
  useAction('server.ping', ping, { when: isLive(phase) });
  const showPart = (part: CheckPart) => {
    useChecks.getState().show(id, part);
    useNavigation.getState().open({ server: id, tab: 'checks' });
  };
  const canBeChecked = { when: server !== undefined && isUsable(server) };
  const examine = () => {
    showPart('connection');
    // Each check arrives as a fact; the last of them is what this answers.
    startServer(id, () => backend.runDoctor(id));
  };
  const check = () => {
    if (!server) return;
    useNavigation.getState().open({ server: id, tab: 'checks' });
    checkAll(backend, server);
  };
  useAction('server.doctor', examine, canBeChecked);
  useAction('server.check', check, canBeChecked);
  useAction('server.conformance', () => showPart('conformance'), canBeChecked);
  useAction('server.load', () => showPart('load'), canBeChecked);
  const settings = () => useNavigation.getState().open({ server: id, section: 'connection' });
  useAction('server.settings', settings, { when: server !== undefined });
  const answers = () => useNavigation.getState().open({ server: id, section: 'answers' });
  useAction('server.answers', answers, { when: server !== undefined });
  const target = server && targetOf(server);
  const name = server?.name ?? '';
  const when = target !== undefined;
  useAction('server.edit', () => target && editConfig({ target, name, place: null }), { when });
  const explain = () => useNavigation.getState().open({ server: id, section: 'definition' });
  useAction('server.explain', explain, { when });
  useAction(
    'server.remove',
    () =>
      target && show({ kind: 'config-change', action: { type: 'remove', target, names: [name] } }),
    { when },
  );
}

function useAllServersActions(): void {
  const backend = useBackend();
  const server = useServer(useNavigation((state) => state.server));
  const settings = useSnapshot((state) => state.settings);
  const id = server?.id ?? '';
  const isAtStart = settings.connectAtStart.includes(id);
  const canStart = server !== undefined && server.origin === 'file';
  const choose = (connectAtStart: string[]) =>
    void saveSettings(backend, { connectAtStart }).catch(showError);
  useAction('server.at-start', () => choose([...settings.connectAtStart, id]), {
    when: canStart && !isAtStart,
  });
  useAction(
    'server.not-at-start',
    () => choose(settings.connectAtStart.filter((known) => known !== id)),
    { when: canStart && isAtStart },
  );
  const move = (by: -1 | 1) => {
    const { servers, files } = useServers.getState();
    const groups = groupServers(servers, files, useSnapshot.getState().settings.order);
    const ids = groups.map((group) => group.servers.map((known) => known.id));
    const group = ids.find((known) => known.includes(id)) ?? [];
    const next = group[group.indexOf(id) + (by < 0 ? -1 : 2)] ?? null;
    if (by > 0 || next !== null) saveOrder(backend, moved(group, id, next));
  };
  useAction('server.move-up', () => move(-1), { when: server !== undefined });
  useAction('server.move-down', () => move(1), { when: server !== undefined });
  const connectAll = () => {
    const { servers } = useServers.getState();
    for (const one of servers.filter(canBeConnected)) backend.connect(one.id).catch(showError);
  };
  useAction('servers.connect-all', connectAll, {
    when: useServers(({ servers }) => servers.some(canBeConnected)),
  });
  const disconnectAll = () => {
    const { servers } = useServers.getState();
    for (const one of servers.filter((known) => !isAtRest(known)))
      backend.disconnect(one.id).catch(showError);
  };
  useAction('servers.disconnect-all', disconnectAll, {
    when: useServers(({ servers }) => servers.some((known) => !isAtRest(known))),
  });
}

function useNumberActions(): void {
  const go = (index: number) => {
    const { servers, files } = useServers.getState();
    const shown = groupServers(servers, files, useSnapshot.getState().settings.order).flatMap(
      (group) => group.servers,
    );
    const server = shown[index];
    if (!server) return;
    useNavigation.getState().selectServer(server.id);
    focusMain();
  };
  const count = useServers((state) => state.servers.length);
  useAction('server.1', () => go(0), { when: count >= 1 });
  useAction('server.2', () => go(1), { when: count >= 2 });
  useAction('server.3', () => go(2), { when: count >= 3 });
  useAction('server.4', () => go(3), { when: count >= 4 });
  useAction('server.5', () => go(4), { when: count >= 5 });
  useAction('server.6', () => go(5), { when: count >= 6 });
  useAction('server.7', () => go(6), { when: count >= 7 });
  useAction('server.8', () => go(7), { when: count >= 8 });
  useAction('server.9', () => go(8), { when: count >= 9 });
}

const ALL = { paths: [], tag: null, server: null };

/** Offers the actions on the requests of the project. */
function useTestActions(): void {
  const backend = useBackend();
  // The sidebar counts them. Read once the window is drawn.
  useEffect(() => {
    const timer = setTimeout(() => {
      void loadRequests(backend);
      void backend.listRestarts().then((restarts) => useSnapshot.setState({ restarts }), showError);
    }, 500);
    return () => clearTimeout(timer);
  }, [backend]);
  const count = useRequestFiles((state) => state.view?.requests.length ?? 0);
  const isRunning = useRequestFiles((state) => state.run?.isRunning ?? false);
  const server = useServer(useNavigation((state) => state.server));
  const runAll = () => {
    useNavigation.getState().openTests();
    void runRequests(backend, { selection: ALL, update: false });
  };
  useAction('tests.new', () => useDialogs.getState().show({ kind: 'new-request' }));
  useAction('tests.run-all', runAll, { when: count > 0 && !isRunning });
  const isConnected = server !== undefined && isLive(server.status.phase);
  useAction(
    'server.compare',
    () => server && useDialogs.getState().show({ kind: 'compare-server', server: server.id }),
    { when: isConnected },
  );
  useAction(
    'server.restart-on-change',
    () => server && useDialogs.getState().show({ kind: 'restart-on-change', server: server.id }),
    { when: isConnected && server.transport === 'stdio' },
  );
  useAction('tests.stubs', () => server && void writeStubs(backend, server.id), {
    when: isConnected,
  });
}
