import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type {
  PermissionRule,
  PermissionVerdict,
  ServerId,
  ServerSettings,
  ServerView,
} from '@/backend/bindings';
import { CodeText } from '@/components/CodeText';
import { ComboField } from '@/components/ComboField';
import { Problem } from '@/components/Problem';
import { Facts, Section } from '@/components/Section';
import { Segmented } from '@/components/Segmented';
import { Select } from '@/components/Select';
import { Switch } from '@/components/Switch';
import { useAsyncEffect } from '@/components/use-async-effect';
import { visibleText } from '@/lib/visible-text';
import { showError } from '@/state/notices';
import { useConfiguration } from '@/state/setup/configuration';
import { useToolNames } from '@/widgets/tool-field/ToolField';
import { useAnswer } from '@/widgets/use-answer';
import { cellText } from '../cells';
import styles from '../clients.module.css';
import { StatusMark } from '../StatusMark';
import type { ClientScope } from '../scope';
import { EFFECTS, MODEL, orderOf, RULES, STEPS } from '../texts';

/** Milliseconds for which typing has to rest. */
const TYPING_DELAY = 120;

interface TryCallProps {
  scope: ClientScope;
  /** The verdict fell by this rule. */
  onRule(rule: PermissionRule): void;
}

/** A call, or a question of a server, and the verdict of the client's rules on it. */
export function TryCall({ scope, onRule }: TryCallProps) {
  const { servers, client } = scope;
  const [chosen, setChosen] = useState<ServerId | null>(null);
  const server = servers.find(({ id }) => id === chosen) ?? servers[0];
  const [kind, setKind] = useState<'call' | 'question'>('call');
  const [tool, setTool] = useState('');
  if (!server) return null;
  // These have no rules about questions.
  const hasQuestions = client.client !== 'codex' && client.client !== 'opencode';
  const asked = kind === 'question' && hasQuestions ? null : tool.trim();
  return (
    <>
      <Section title={RULES.tryCall}>
        {servers.length > 1 && (
          <Select
            label={MODEL.server}
            choices={servers.map(({ id, name }) => ({ value: id, label: visibleText(name) }))}
            value={server.id}
            onChange={setChosen}
          />
        )}
        {hasQuestions && (
          <Segmented
            label={RULES.kind}
            className="self-start"
            segments={[
              { value: 'call', label: RULES.call },
              { value: 'question', label: RULES.question },
            ]}
            value={kind}
            onChange={setKind}
          />
        )}
        {asked !== null && <CallField server={server} value={tool} onChange={setTool} />}
      </Section>
      <Section title={RULES.verdict}>
        {asked === '' ? (
          <p className="remark">{RULES.enterTool}</p>
        ) : (
          <Verdict scope={scope} server={server.id} tool={asked} onRule={onRule} />
        )}
        <p className="remark">
          <CodeText text={orderOf(client.client)} />
        </p>
      </Section>
      <HeldCalls key={server.id} server={server} client={client} />
    </>
  );
}

interface VerdictProps {
  scope: ClientScope;
  server: ServerId;
  tool: string | null;
  onRule(rule: PermissionRule): void;
}

function Verdict({ scope, server, tool, onRule }: VerdictProps) {
  const backend = useBackend();
  const { client, revision } = scope;
  const fileRevision = useConfiguration((state) => state.view.revision);
  const { value, problem } = useAnswer(
    () =>
      backend.getPermissionVerdict(client.client, server, tool).then((verdict) => {
        if (verdict.rule) onRule(verdict.rule);
        return verdict;
      }),
    [backend, client.client, server, tool, revision, fileRevision],
    TYPING_DELAY,
  );
  if (problem !== null) return <Problem text={problem} />;
  return value && <Decision verdict={value} />;
}

function Decision({ verdict }: { verdict: PermissionVerdict }) {
  const { effect, step, rule, ignored, reason } = verdict;
  return (
    <div role="status" className="stack gap-1 break-anywhere">
      <p className={styles.effect}>
        <StatusMark status={EFFECTS[effect]} />
      </p>
      <p>
        <CodeText text={visibleText(reason)} />
      </p>
      <Facts
        facts={[
          [RULES.decidedBy, rule ? <RuleText key="rule" text={rule.text} /> : RULES.noRule],
          [
            RULES.place,
            rule && <RuleText key="place" text={RULES.line(rule.place.file, rule.place.line)} />,
          ],
          [RULES.step, step && STEPS[step]],
        ]}
      />
      {ignored.length > 0 && (
        <>
          <h3>{RULES.ignored}</h3>
          <ul className={styles.lines}>
            {ignored.map(({ rule: other, reason: why }) => (
              <li
                key={`${other.place.file} ${other.place.line} ${other.text}`}
                className={styles.place}
              >
                <code>{cellText(other.text)}</code>
                <span className="remark">
                  <CodeText text={visibleText(why)} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function RuleText({ text }: { text: string }) {
  return <code>{cellText(text)}</code>;
}

interface CallFieldProps {
  server: ServerView;
  value: string;
  onChange(tool: string): void;
}

/** The name of a tool: typed, or chosen among those of a connected server. */
function CallField({ server, value, onChange }: CallFieldProps) {
  const names = useToolNames(server);
  return (
    <ComboField
      label={RULES.typeTool}
      mono
      choices={names}
      shown={cellText}
      value={value}
      onChange={onChange}
    />
  );
}

interface HeldCallsProps {
  server: ServerView;
  client: ClientScope['client'];
}

/** Holds the calls that are sent from here to the rules of the client, or to none. */
function HeldCalls({ server: { id, name }, client }: HeldCallsProps) {
  const backend = useBackend();
  const [settings, setSettings] = useState<ServerSettings | null>(null);
  useAsyncEffect(
    () => ({
      start: () => backend.getServerSettings(id),
      onValue: setSettings,
      onError: showError,
    }),
    [backend, id],
  );
  const { value: clients } = useAnswer(() => backend.listModelClients(), [backend]);
  if (!settings) return null;
  const hold = async (isHeld: boolean) => {
    try {
      // Read afresh: the settings have a dialog of their own.
      const now = await backend.getServerSettings(id);
      const next = { ...now, heldTo: isHeld ? client.client : null };
      await backend.updateServerSettings(id, next);
      setSettings(next);
    } catch (reason) {
      showError(reason);
    }
  };
  const other = settings.heldTo !== client.client ? settings.heldTo : null;
  return (
    <Section title={RULES.callsFromHere}>
      <Switch
        isSelected={settings.heldTo === client.client}
        onChange={(isHeld) => void hold(isHeld)}
      >
        {RULES.hold(visibleText(name))}
      </Switch>
      <p className="remark">
        {other === null
          ? RULES.holdMeaning
          : RULES.heldToOther(clients?.find(({ client }) => client === other)?.title ?? other)}
      </p>
    </Section>
  );
}
