import type { ServerView } from '@/backend/bindings';
import { Facts, Section } from '@/components/Section';
import { Segmented } from '@/components/Segmented';
import QuestionsTab from '@/features/calls/questions/QuestionsTab';
import AllowedTools from '@/features/clients/AllowedTools';
import { ExtensionsSection } from '@/features/servers/extensions/ExtensionsSection';
import { Limits } from '@/features/servers/overview/Limits';
import { LogLevel } from '@/features/servers/overview/LogLevel';
import { ConnectionSettings } from '@/features/settings/ConnectionSettings';
import ConfigTab from '@/features/setup/ConfigTab';
import AuthTab from '@/features/sign-in/AuthTab';
import { SETTINGS_SECTIONS, type SettingsSection, useNavigation } from '@/state/navigation';
import { isLive } from '@/state/servers/phases';
import { isUsable } from '@/state/servers/servers';
import { useAuthView } from '@/state/sign-in/auth';
import { SETTINGS } from './texts';

const SECTIONS = Object.keys(SETTINGS_SECTIONS) as readonly SettingsSection[];

/**
 * Everything that is set about one server, wherever it is kept: its entry, how it is connected,
 * who signs in, what it is told, and which of its tools a model gets.
 */
export default function SettingsTab({ server }: { server: ServerView }) {
  const signsIn = useAuthView(server.id) !== undefined || isOfNetwork(server);
  const chosen = useNavigation((state) => state.sections[server.id] ?? 'definition');
  const selectSection = useNavigation((state) => state.selectSection);
  const shown = SECTIONS.filter((section) => {
    if (section === 'sign-in') return signsIn;
    if (section === 'connection') return isUsable(server);
    return section !== 'tools' || server.target !== null;
  });
  const section = shown.includes(chosen) ? chosen : 'definition';
  return (
    <div className="pane">
      <div className="bar h-bar pad-x-7 pad-y-0">
        <Segmented
          label={SETTINGS.sections}
          segments={shown.map((value) => ({ value, label: SETTINGS_SECTIONS[value] }))}
          value={section}
          onChange={(next) => selectSection(server.id, next)}
        />
      </div>
      <div className="fill">
        {section === 'definition' && <ConfigTab server={server} />}
        {section === 'connection' && <Connection server={server} />}
        {section === 'sign-in' && <AuthTab server={server} />}
        {section === 'answers' && <QuestionsTab server={server} />}
        {section === 'tools' && <AllowedTools server={server} />}
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
      <ConnectionSettings key={server.id} server={server} />
      {isLive(phase) && handshake?.capabilities.includes('logging') && (
        <Section title={SETTINGS.log}>
          <Facts facts={[[SETTINGS.logLevel, <LogLevel key="level" server={server} />]]} />
        </Section>
      )}
      <ExtensionsSection server={server} />
      <Limits server={server} />
    </div>
  );
}
