import { Suspense } from 'react';
import { DialogNote } from '@/components/Dialog';
import { SplitPane } from '@/components/SplitPane';
import { TrafficDrawer } from '@/features/record/drawer/TrafficDrawer';
import { Sidebar } from '@/features/servers/list/Sidebar';
import { lazyComponent } from '@/lib/lazy-component';
import { windowWidth } from '@/lib/window-size';
import { useDialogs } from '@/state/dialogs';
import { closeGuide, useGuidePlace } from '@/state/guide';
import { TABS, useNavigation } from '@/state/navigation';
import { useServers } from '@/state/servers/servers';
import { useSnapshot } from '@/state/snapshot';
import { ErrorBoundary } from '@/widgets/ErrorBoundary';
import { Notices } from '@/widgets/Notices';
import styles from './app.module.css';
import { MainPane } from './MainPane';
import { Palette } from './Palette';
import { QuestionBar } from './QuestionBar';
import { RecordingBanner } from './RecordingBanner';
import { useShortcuts } from './shortcuts';
import { TabAction } from './TabAction';
import { useTheme } from './theme';
import { useAppActions } from './use-app-actions';
import { useBackgroundNews } from './use-background-news';
import { useSessionActions } from './use-session-actions';
import { useShownFirst } from './use-shown-first';
import { useWindowReady } from './use-window-ready';
import { WaitingLinks } from './WaitingLinks';

const Dialogs = lazyComponent(() => import('./Dialogs'), 'default');
const GuideDialog = lazyComponent(() => import('@/features/guide/GuideDialog'), 'GuideDialog');
const ConfirmationDialog = lazyComponent(
  () => import('@/features/calls/confirmations/ConfirmationDialog'),
  'default',
);

/** A small window leaves more of its width to the server. */
const PANES = [
  { id: 'servers', size: windowWidth() < 900 ? 184 : 244, min: 150, keepsPixels: true },
  { id: 'server', min: 320 },
] as const;

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
        <SplitPane name="window" direction="row" panes={PANES}>
          <ErrorBoundary pane="Servers">
            <Sidebar />
          </ErrorBoundary>
          <ErrorBoundary pane="Main">
            <MainPane />
          </ErrorBoundary>
        </SplitPane>
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
  // Not put off as the others are: what is typed right after its shortcut is meant for it.
  if (dialog.kind === 'palette') return <Palette key={opened} />;
  return (
    <ErrorBoundary key={opened} pane={`Dialog ${dialog.kind}`} onClose={() => close(opened)}>
      <DialogNote.Provider value={<WaitingLinks />}>
        <Suspense>
          <Dialogs />
        </Suspense>
      </DialogNote.Provider>
    </ErrorBoundary>
  );
}
