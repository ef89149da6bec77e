import { Suspense, useEffect, useRef } from 'react';
import { type Backend, useBackend } from '@/backend/backend';
import { DialogNote } from '@/components/dialog-note';
import { afterPaint } from '@/components/use-painted';
import { TrafficDrawer } from '@/features/record/drawer/TrafficDrawer';
import { Sidebar } from '@/features/servers/list/Sidebar';
import { EarlyPaste } from '@/features/setup/add/early-paste';
import { lazyComponent } from '@/lib/lazy-component';
import { useAction } from '@/state/actions';
import { useDialogs } from '@/state/dialogs';
import { closeGuide, useGuidePlace } from '@/state/guide';
import { TABS, type Tab, useNavigation } from '@/state/navigation';
import { showError } from '@/state/notices';
import { openSession } from '@/state/record/sessions';
import { useServer, useServers } from '@/state/servers/servers';
import { useSnapshot } from '@/state/snapshot';
import { ErrorBoundary } from '@/widgets/ErrorBoundary';
import { Notices } from '@/widgets/Notices';
import styles from './app.module.css';
import { QuestionBar, RecordingBanner } from './Banners';
import { EarlyKeys } from './EarlyKeys';
import { MainPane } from './MainPane';
import { Dialogs, Palette, preload } from './preload';
import { useShortcuts } from './shortcuts';
import { isTabShown, useTabSubject } from './tabs';
import { useAppActions } from './use-app-actions';
import { useBackgroundNews } from './use-background-news';
import { useSessionActions } from './use-session-actions';
import { WaitingLinks } from './WaitingLinks';
import { WindowPanes } from './WindowPanes';

const GuideDialog = lazyComponent(() => import('@/features/guide/GuideDialog'), 'GuideDialog');
const ConfirmationDialog = lazyComponent(
  () => import('@/features/calls/confirmations/ConfirmationDialog'),
  'default',
);

/** The window. */
export function App() {
  const loaded = useServers((state) => state.loaded);
  useTheme();
  useWindowReady(loaded);
  return loaded ? <Window /> : null;
}

function Window() {
  const isCovered = useNavigation((state) => state.trafficMaximised);
  return (
    <div className={styles.window}>
      <Behaviour />
      <div className={styles.banners}>
        <RecordingBanner />
      </div>
      <main className={styles.panes} inert={isCovered}>
        <WindowPanes
          sidebar={
            <ErrorBoundary pane="Servers">
              <Sidebar />
            </ErrorBoundary>
          }
          main={
            <ErrorBoundary pane="Main">
              <MainPane />
            </ErrorBoundary>
          }
        />
      </main>
      <div className={styles.messages}>
        <Notices />
        <QuestionBar />
      </div>
      <ErrorBoundary pane="Traffic">
        <TrafficDrawer />
      </ErrorBoundary>
      <OpenDialog />
      <OpenConfirmation />
      <OpenGuide />
    </div>
  );
}

/** The behaviour of the window. Draws nothing, so that what it follows draws nothing again. */
function Behaviour() {
  useShortcuts();
  useAppActions();
  useBackgroundNews();
  useShownFirst();
  useSessionActions();
  return TABS.map((tab) => <TabAction key={tab} tab={tab} />);
}

/** Calls wait in front of every dialog: a dialog may have begun them. */
function OpenConfirmation() {
  const isWaiting = useSnapshot((state) => state.confirmations.length > 0);
  return (
    isWaiting && (
      <Suspense>
        <ConfirmationDialog />
      </Suspense>
    )
  );
}

/** The guide explains dialogs too, so that it lies over them. */
function OpenGuide() {
  const place = useGuidePlace();
  return (
    place && (
      <ErrorBoundary pane="Guide" onClose={closeGuide}>
        <Suspense>
          <GuideDialog place={place} />
        </Suspense>
      </ErrorBoundary>
    )
  );
}

function OpenDialog() {
  const { dialog, opened, close } = useDialogs();
  if (dialog === null) return null;
  if (dialog.kind === 'palette') {
    return (
      <Suspense fallback={<EarlyKeys />}>
        <Palette key={opened} />
      </Suspense>
    );
  }
  return (
    <ErrorBoundary key={opened} pane={`Dialog ${dialog.kind}`} onClose={() => close(opened)}>
      <DialogNote.Provider value={<WaitingLinks />}>
        <Suspense fallback={dialog.kind === 'add-server' && <EarlyPaste />}>
          <Dialogs />
        </Suspense>
      </DialogNote.Provider>
    </ErrorBoundary>
  );
}

/** Tells the host once that the window has been painted with what it is about. */
function useWindowReady(loaded: boolean): void {
  const backend = useBackend();
  const told = useRef(false);
  useEffect(() => {
    if (!loaded || told.current) return;
    told.current = true;
    afterPaint(() => {
      backend.windowReady().catch(showError);
      void preload();
    });
  }, [backend, loaded]);
}

/** Forces the theme that the user chose; the system's applies without one. */
function useTheme(): void {
  const theme = useSnapshot((state) => state.settings.theme);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
}

/** Offers to show a view of the selected server. Draws nothing. */
function TabAction({ tab }: { tab: Tab }) {
  const { server, ...known } = useTabSubject(useServer(useNavigation((state) => state.server)));
  const show = () => {
    if (server) useNavigation.getState().open({ server: server.id, tab });
  };
  // Checks can be begun there, and tasks asked for, before the tab is shown by itself.
  const isThere =
    tab === 'checks' || (tab === 'tasks' && !!server?.status.handshake?.features.taskList);
  useAction(`tab.${tab}`, show, {
    when: server !== undefined && (isThere || isTabShown(tab, { server, ...known })),
  });
  return null;
}

/** Something that the application was opened for. The host says so. */
type ShownFirst = { type: 'link'; text: string } | { type: 'sessionFile'; path: string };

declare global {
  interface Window {
    sightglassOpened?: ShownFirst | null;
  }
}

/** Shows what the application, or another launch of it, was opened for. */
function useShownFirst(): void {
  const backend = useBackend();
  useEffect(() => {
    if (window.sightglassOpened) show(backend, window.sightglassOpened);
    window.sightglassOpened = null;
    const onOpen = (event: Event) => {
      if (event instanceof CustomEvent) show(backend, event.detail);
    };
    window.addEventListener('sightglass-open', onOpen);
    return () => window.removeEventListener('sightglass-open', onOpen);
  }, [backend]);
}

/** Shows a link in the dialog that adds a server, and a session file in its own place. */
function show(backend: Backend, opened: ShownFirst): void {
  if (opened.type === 'link') {
    useDialogs.getState().showWhenFree({ kind: 'add-server', text: opened.text });
  } else {
    void openSession(backend, opened.path);
  }
}
