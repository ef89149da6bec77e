import type { ComponentType } from 'react';
import type { ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { classes } from '@/components/classes';
import { Facts, Section } from '@/components/Section';
import { Segmented } from '@/components/Segmented';
import QuestionsTab from '@/features/calls/questions/QuestionsTab';
import { ExtensionsSection } from '@/features/servers/extensions/ExtensionsSection';
import { Limits, LogLevel } from '@/features/servers/overview/Limits';
import { ConnectionSettings } from '@/features/settings/ConnectionSettings';
import { DefinitionPage } from '@/features/setup/DefinitionPage';
import AuthTab from '@/features/sign-in/AuthTab';
import { useList } from '@/state/calls/lists';
import { openInClients } from '@/state/clients/in-clients';
import { SETTINGS_SECTIONS, type SettingsSection, useNavigation } from '@/state/navigation';
import { isLive } from '@/state/servers/phases';
import { isUsable } from '@/state/servers/servers';
import { useAuthView } from '@/state/sign-in/auth';
import { ErrorBoundary } from '@/widgets/ErrorBoundary';
import styles from './app.module.css';
import { SETTINGS } from './texts';

const SECTIONS = Object.keys(SETTINGS_SECTIONS) as readonly SettingsSection[];

const CONTENTS: Readonly<Record<SettingsSection, ComponentType<{ server: ServerView }>>> = {
  definition: DefinitionPage,
  connection: Connection,
  'sign-in': AuthTab,
  answers: QuestionsTab,
};

/**
 * Everything that is set about one server, wherever it is kept: its entry, how it is connected,
 * who signs in and what it is told. Which of its tools a model gets is switched in its clients.
 */
export default function SettingsTab({ server }: { server: ServerView }) {
  const signsIn = useAuthView(server.id) !== undefined || isOfNetwork(server);
  const chosen = useNavigation((state) => state.sections[server.id] ?? 'definition');
  const selectSection = useNavigation((state) => state.selectSection);
  const hasTools = useList(server.id, 'tools') !== undefined;
  const shown = SECTIONS.filter((section) => section !== 'sign-in' || signsIn);
  const section = shown.includes(chosen) ? chosen : 'definition';
  const Content = CONTENTS[section];
  return (
    <div className="pane">
      <div className="bar h-bar pad-x-7 pad-y-0">
        <div className={classes('row-inline frame-field', styles.sections)}>
          <Segmented
            label={SETTINGS.sections}
            segments={shown.map((value) => ({ value, label: SETTINGS_SECTIONS[value] }))}
            value={section}
            onChange={(next) => selectSection(server.id, next)}
          />
          {server.target !== null && hasTools && (
            <Button variant="quiet" onPress={() => openInClients(server.id, 'choice')}>
              {SETTINGS.tools}
            </Button>
          )}
        </div>
      </div>
      <div className="fill">
        <ErrorBoundary key={section} pane={SETTINGS_SECTIONS[section]}>
          <Content server={server} />
        </ErrorBoundary>
      </div>
    </div>
  );
}

function isOfNetwork({ transport }: ServerView): boolean {
  return transport !== null && transport !== 'stdio';
}

/** The way in which the connection is made, and what both sides declare. */
function Connection({ server }: { server: ServerView }) {
  const { handshake, phase } = server.status;
  return (
    <div className="h-full scroll">
      <ConnectionSettings key={server.id} server={server}>
        {isUsable(server) && (
          <>
            <Limits server={server} />
            <ExtensionsSection server={server} />
          </>
        )}
        {/* Last: it comes with the connection, and moves nothing there. */}
        {isLive(phase) && handshake?.capabilities.includes('logging') && (
          <Section title={SETTINGS.log}>
            <Facts facts={[[SETTINGS.logLevel, <LogLevel key="level" server={server} />]]} />
          </Section>
        )}
      </ConnectionSettings>
    </div>
  );
}
