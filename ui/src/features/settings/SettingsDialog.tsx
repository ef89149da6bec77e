import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { FolderTrustView, Settings, Theme } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { Facts } from '@/components/Section';
import { Segmented } from '@/components/Segmented';
import { Select } from '@/components/Select';
import { Switch } from '@/components/Switch';
import { TextField } from '@/components/TextField';
import { formatCount, formatSize } from '@/lib/format';
import { useDialogs } from '@/state/dialogs';
import { useFolder } from '@/state/folder';
import { showError } from '@/state/notices';
import { useRecording } from '@/state/recording';
import { useServers } from '@/state/servers';
import { useSettings } from '@/state/settings';
import { zoomsWith } from '@/state/zoom';
import styles from './settings.module.css';

const THEMES: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** Seconds. */
const DEFAULT_PING_INTERVAL = 30;

/** The settings. Every change counts at once. */
export function SettingsDialog() {
  const backend = useBackend();
  const close = useDialogs((state) => state.close);
  const settings = useSettings((state) => state.settings);
  const save = (changed: Partial<Settings>) => {
    // Read afresh: two changes may come before the first is confirmed.
    const next = { ...useSettings.getState().settings, ...changed };
    useSettings.getState().replace(next);
    backend.saveSettings(next).catch((reason) => {
      useSettings.getState().replace(settings);
      showError(reason);
    });
  };
  const { retention } = settings;

  return (
    <Dialog title="Settings" isOpen onClose={close} footer={<Button onPress={close}>Done</Button>}>
      <div className={styles.settings}>
        <section className={styles.group}>
          <h3>Appearance</h3>
          <div className={styles.line}>
            <span>Theme</span>
            <Segmented
              label="Theme"
              segments={THEMES}
              value={settings.theme}
              onChange={(theme) => save({ theme })}
            />
          </div>
          <div className={styles.line}>
            <span>Zoom</span>
            <Select
              label="Zoom"
              hideLabel
              choices={zoomsWith(settings.zoom).map((size) => ({
                value: String(size),
                label: `${size} %`,
              }))}
              value={String(settings.zoom)}
              onChange={(size) => save({ zoom: Number(size) })}
            />
          </div>
          <div className={styles.line}>
            <span>Text results</span>
            <Switch isSelected={settings.markdown} onChange={(markdown) => save({ markdown })}>
              Show as Markdown at first
            </Switch>
          </div>
        </section>
        <section className={styles.group}>
          <h3>Record</h3>
          <div className={styles.numbers}>
            <NumberSetting
              label="Keep for"
              unit="days"
              value={retention.days}
              onSave={(days) => save({ retention: { ...retention, days } })}
            />
            <NumberSetting
              label="Keep at most"
              unit="MiB"
              value={retention.mebibytes}
              onSave={(mebibytes) => save({ retention: { ...retention, mebibytes } })}
            />
            <NumberSetting
              label="Largest message"
              unit="MiB"
              value={settings.message_limit}
              onSave={(limit) => save({ message_limit: limit })}
            />
          </div>
          <p className={styles.remark}>
            The oldest messages go first. A message larger than the limit is refused, and the
            traffic says so.
          </p>
        </section>
        <section className={styles.group}>
          <h3>Connections</h3>
          <div className={styles.line}>
            <span>Idle servers</span>
            <Switch
              isSelected={settings.ping_interval > 0}
              onChange={(pings) => save({ ping_interval: pings ? DEFAULT_PING_INTERVAL : 0 })}
            >
              Ping servers that are idle
            </Switch>
          </div>
          {settings.ping_interval > 0 && (
            <div className={styles.numbers}>
              <NumberSetting
                label="After silence of"
                unit="seconds"
                value={settings.ping_interval}
                onSave={(interval) => save({ ping_interval: interval })}
              />
            </div>
          )}
          <p className={styles.remark}>
            A ping measures the round trip and finds out when a server is gone. Each one is in the
            traffic.
          </p>
        </section>
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

/** A whole number from 1 up; saved when the field is left or Enter is pressed. */
function NumberSetting({ label, unit, value, onSave }: NumberSettingProps) {
  const [text, setText] = useState(String(value));
  const isValid = /^[1-9]\d{0,8}$/.test(text);
  const commit = () => {
    if (isValid && Number(text) !== value) onSave(Number(text));
  };
  return (
    <TextField
      label={`${label} (${unit})`}
      inputMode="numeric"
      value={text}
      error={isValid ? undefined : 'Enter a whole number from 1 up.'}
      onChange={setText}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
        // Escape is the dialog's.
        else event.continuePropagation();
      }}
    />
  );
}

/** The trust in the folder that is open, without which no program starts there. */
function FolderSetting() {
  const backend = useBackend();
  const folder = useFolder((state) => state.folder);
  const isTrusted = folder.answer === 'trusted';
  const change = () => (isTrusted ? backend.distrustFolder() : backend.trustFolder());
  return (
    <section className={styles.group}>
      <h3>Folder</h3>
      <div className={styles.folderLine}>
        <code className={styles.folder}>{folder.path}</code>
        {!folder.is_home && (
          <Button onPress={() => void change().catch(showError)}>
            {isTrusted ? 'Stop trusting' : 'Trust folder'}
          </Button>
        )}
      </div>
      <p className={styles.remark}>{folderText(folder)}</p>
    </section>
  );
}

function folderText({ answer, is_home: isHome }: FolderTrustView): string {
  if (isHome) return 'Trusted, because it is your home directory. Servers start in it.';
  return answer === 'trusted'
    ? 'Trusted. Servers start in it, and what lies there can change what they do.'
    : 'Not trusted. Servers of the project do not start, and your own start in an empty directory.';
}

function About() {
  const version = useServers((state) => state.version);
  const project = useServers((state) => state.project);
  const recording = useRecording((state) => state.recording);
  const frames = useRecording((state) => state.pulse.frames);
  return (
    <section className={styles.group}>
      <h3>About</h3>
      <Facts
        facts={[
          ['Version', <code key="version">{version}</code>],
          ['Data', <code key="data">{project.data_directory}</code>],
          [
            'Record',
            `${formatCount(Math.max(frames, recording.frames))} messages, ${formatSize(recording.size ?? 0)} on disk`,
          ],
        ]}
      />
    </section>
  );
}
