import { useBackend } from '@/backend/backend';
import type { ConnectionDefaults, Settings, Theme } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { Facts } from '@/components/Section';
import { Segmented } from '@/components/Segmented';
import { Select } from '@/components/Select';
import { Switch } from '@/components/Switch';
import { formatSize } from '@/lib/format';
import { runAction } from '@/state/actions';
import { useClose } from '@/state/dialogs';
import { showError } from '@/state/notices';
import { useRecording } from '@/state/record/recording';
import { useServers } from '@/state/servers/servers';
import { saveSettings } from '@/state/settings';
import { useSnapshot } from '@/state/snapshot';
import { zoomsWith } from '@/state/zoom';
import { ModelsSection } from './ModelsSection';
import { NetworkSection } from './NetworkSection';
import { Group, Line, NumberField } from './Parts';
import { ProtocolSelect } from './ProtocolSelect';
import styles from './settings.module.css';
import { ABOUT, APPEARANCE, CALLS, CONNECTIONS, FOLDER, RECORD, SERVER, SETTINGS } from './texts';

const THEMES: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: APPEARANCE.system },
  { value: 'light', label: APPEARANCE.light },
  { value: 'dark', label: APPEARANCE.dark },
];

/** Seconds. */
const DEFAULT_PING_INTERVAL = 30;

/** The settings. Every change counts at once. */
export function SettingsDialog() {
  const backend = useBackend();
  const close = useClose();
  const settings = useSnapshot((state) => state.settings);
  const save = (changed: Partial<Settings>) => void saveSettings(backend, changed).catch(showError);
  const saveDefaults = (changed: Partial<ConnectionDefaults>) =>
    save({ defaults: { ...useSnapshot.getState().settings.defaults, ...changed } });
  const { retention } = settings;

  return (
    <Dialog
      title={SETTINGS.title}
      isOpen
      onClose={close}
      isHarmless
      footer={<Button onPress={close}>{SETTINGS.done}</Button>}
    >
      <div className="stack gap-10">
        <Group title={APPEARANCE.title}>
          <Line title={APPEARANCE.theme}>
            <Segmented
              label={APPEARANCE.theme}
              segments={THEMES}
              value={settings.theme}
              onChange={(theme) => save({ theme })}
            />
          </Line>
          <Line title={APPEARANCE.zoom}>
            <Select
              label={APPEARANCE.zoom}
              hideLabel
              choices={zoomsWith(settings.zoom).map((size) => ({
                value: String(size),
                label: APPEARANCE.percent(size),
              }))}
              value={String(settings.zoom)}
              onChange={(size) => save({ zoom: Number(size) })}
            />
          </Line>
          <Line title={APPEARANCE.results}>
            <Switch isSelected={settings.markdown} onChange={(markdown) => save({ markdown })}>
              {APPEARANCE.markdown}
            </Switch>
          </Line>
        </Group>
        <Group title={RECORD.title}>
          <div className={styles.numbers}>
            <NumberSetting
              label={RECORD.days}
              unit={RECORD.daysUnit}
              value={retention.days}
              onSave={(days) => save({ retention: { ...retention, days } })}
            />
            <NumberSetting
              label={RECORD.size}
              unit={RECORD.sizeUnit}
              value={retention.mebibytes}
              onSave={(mebibytes) => save({ retention: { ...retention, mebibytes } })}
            />
            <NumberSetting
              label={RECORD.message}
              unit={RECORD.sizeUnit}
              value={settings.messageLimit}
              onSave={(limit) => save({ messageLimit: limit })}
            />
          </div>
          <p className="remark">{RECORD.meaning}</p>
        </Group>
        <Group title={CONNECTIONS.title}>
          <Line title={CONNECTIONS.idle}>
            <Switch
              isSelected={settings.pingInterval > 0}
              onChange={(pings) => save({ pingInterval: pings ? DEFAULT_PING_INTERVAL : 0 })}
            >
              {CONNECTIONS.ping}
            </Switch>
          </Line>
          {settings.pingInterval > 0 && (
            <div className={styles.numbers}>
              <NumberSetting
                label={CONNECTIONS.interval}
                unit={CONNECTIONS.intervalUnit}
                value={settings.pingInterval}
                onSave={(interval) => save({ pingInterval: interval })}
              />
            </div>
          )}
          <p className="remark">{CONNECTIONS.meaning}</p>
          <ProtocolSelect
            value={settings.defaults.protocol}
            onChange={(protocol) => saveDefaults({ protocol: protocol ?? 'auto' })}
          />
          <div className={styles.numbers}>
            <NumberField
              label={SERVER.start}
              annotation={SETTINGS.seconds}
              placeholder={CONNECTIONS.byDefault}
              value={settings.defaults.startupLimit}
              onChange={(startupLimit) => saveDefaults({ startupLimit })}
            />
            <NumberField
              label={SERVER.call}
              annotation={SETTINGS.seconds}
              placeholder={CONNECTIONS.byDefault}
              value={settings.defaults.callLimit}
              onChange={(callLimit) => saveDefaults({ callLimit })}
            />
          </div>
          <p className="remark">{CONNECTIONS.defaultsMeaning}</p>
          <Line title={CONNECTIONS.background}>
            <Switch
              isSelected={settings.notifications}
              onChange={(notifications) => save({ notifications })}
            >
              {CONNECTIONS.notify}
            </Switch>
          </Line>
        </Group>
        <Group title={CALLS.title}>
          <Line title={CALLS.confirm}>
            <Switch
              isSelected={settings.confirmDestructive}
              onChange={(confirmDestructive) => save({ confirmDestructive })}
            >
              {CALLS.confirmThem}
            </Switch>
          </Line>
          <p className="remark">{CALLS.meaning}</p>
        </Group>
        <NetworkSection network={settings.network} onSave={(network) => save({ network })} />
        <ModelsSection />
        <FolderSetting />
        <About />
      </div>
    </Dialog>
  );
}

interface NumberSettingProps {
  label: string;
  unit: string;
  value: number;
  onSave: (value: number) => void;
}

/** A number that is saved once its field is left. */
function NumberSetting({ label, unit, value, onSave }: NumberSettingProps) {
  return (
    <NumberField
      isLate
      label={SETTINGS.withUnit(label, unit)}
      value={value}
      onChange={(next) => next !== null && onSave(next)}
    />
  );
}

/** The trust in the folder that is open, without which no program starts there. */
function FolderSetting() {
  const backend = useBackend();
  const folder = useSnapshot((state) => state.folder);
  const isTrusted = folder.answer === 'trusted';
  const change = () => (isTrusted ? backend.distrustFolder() : backend.trustFolder());
  return (
    <Group title={FOLDER.title}>
      <div className={styles.folderLine}>
        <code className="break-anywhere selectable">{folder.path}</code>
        {!folder.isHome && (
          <Button onPress={() => void change().catch(showError)}>
            {isTrusted ? FOLDER.distrust : FOLDER.trust}
          </Button>
        )}
      </div>
      <p className="remark">{FOLDER.state(folder)}</p>
    </Group>
  );
}

function About() {
  const backend = useBackend();
  const version = useServers((state) => state.version);
  const project = useServers((state) => state.project);
  const recording = useRecording((state) => state.recording);
  const frames = useRecording((state) => state.revision.frames);
  return (
    <Group title={ABOUT.title}>
      <Facts
        facts={[
          [ABOUT.version, <code key="version">{version}</code>],
          [ABOUT.data, <code key="data">{project.dataDirectory}</code>],
          [
            ABOUT.record,
            ABOUT.messages(Math.max(frames, recording.frames), formatSize(recording.size ?? 0)),
          ],
          [
            ABOUT.bundles,
            <Button key="bundles" onPress={() => runAction('bundles.remove')}>
              {ABOUT.removeBundles}
            </Button>,
          ],
          [
            ABOUT.log,
            <Button key="log" onPress={() => void backend.showLog().catch(showError)}>
              {ABOUT.showLog}
            </Button>,
          ],
        ]}
      />
    </Group>
  );
}
