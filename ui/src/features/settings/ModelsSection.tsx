import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { EndpointKind, ModelSettings } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Problem } from '@/components/Problem';
import { Select } from '@/components/Select';
import { TextField } from '@/components/TextField';
import { visibleText } from '@/lib/visible-text';
import { showError } from '@/state/notices';
import { useAttempt } from '@/state/servers/attempt';
import { saveSettings } from '@/state/settings';
import { useSnapshot } from '@/state/snapshot';
import { useAnswer } from '@/widgets/use-answer';
import { Group } from './Parts';
import styles from './settings.module.css';
import { MODELS } from './texts';

const KINDS: readonly { value: EndpointKind; label: string; url: string }[] = [
  { value: 'anthropic', label: 'Anthropic', url: 'https://api.anthropic.com' },
  { value: 'openaiChat', label: 'Chat Completions', url: 'http://localhost:11434/v1' },
];

/** The models that can be asked; none until one is added. */
export function ModelsSection() {
  const backend = useBackend();
  const models = useSnapshot((state) => state.settings.models);
  const [isAdding, setAdding] = useState(false);
  const [version, setVersion] = useState(0);
  const { value, problem } = useAnswer(
    () => backend.listModelEndpoints(),
    [backend, models, version],
  );
  const views = value ?? [];
  const save = async (next: ModelSettings[]) => {
    await saveSettings(backend, { models: next });
    setVersion((version) => version + 1);
  };
  const remove = async (model: ModelSettings) => {
    const others = models.filter(({ name }) => name !== model.name);
    // A key that no other model needs goes with it.
    if (others.every(({ url }) => url !== model.url)) await backend.updateModelKey(model.url, null);
    await save(others);
  };
  return (
    <Group title={MODELS.title}>
      <p className="remark">{MODELS.meaning}</p>
      <Problem text={problem} />
      {views.length > 0 && (
        <ul className={styles.models} aria-label={MODELS.title}>
          {views.map((view) => (
            <li key={view.name}>
              <span>
                <b>{visibleText(view.name)}</b>{' '}
                <span className="remark">
                  <code>{visibleText(view.model)}</code> · {visibleText(view.url)} ·{' '}
                  {view.hasKey ? MODELS.hasKey : MODELS.noKey}
                </span>
              </span>
              <Button
                aria-label={MODELS.removeNamed(visibleText(view.name))}
                onPress={() => void remove(view).catch(showError)}
              >
                {MODELS.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isAdding ? (
        <AddModel
          onAdd={async (model, key) => {
            await save([...models, model]);
            if (key !== '') await backend.updateModelKey(model.url, key);
            setVersion((version) => version + 1);
            setAdding(false);
          }}
          onCancel={() => setAdding(false)}
        />
      ) : (
        <div>
          <Button onPress={() => setAdding(true)}>{MODELS.add}</Button>
        </div>
      )}
    </Group>
  );
}

interface AddModelProps {
  onAdd: (model: ModelSettings, key: string) => Promise<void>;
  onCancel: () => void;
}

function AddModel({ onAdd, onCancel }: AddModelProps) {
  const [model, setModel] = useState<ModelSettings>({
    name: '',
    kind: 'anthropic',
    url: KINDS[0]?.url ?? '',
    model: '',
  });
  const [key, setKey] = useState('');
  const { isBusy, problem, attempt } = useAttempt();
  const chooseKind = (kind: EndpointKind) => {
    const isUntouched = KINDS.some(({ url }) => url === model.url);
    const usual = KINDS.find(({ value }) => value === kind)?.url ?? '';
    setModel({ ...model, kind, url: isUntouched ? usual : model.url });
  };
  const isWhole = [model.name, model.url, model.model].every((text) => text.trim() !== '');
  return (
    <>
      <div className={styles.numbers}>
        <TextField
          label={MODELS.name}
          value={model.name}
          onChange={(name) => setModel({ ...model, name })}
        />
        <Select label={MODELS.kind} choices={KINDS} value={model.kind} onChange={chooseKind} />
      </div>
      <div className={styles.numbers}>
        <TextField
          label={MODELS.url}
          mono
          value={model.url}
          onChange={(url) => setModel({ ...model, url })}
        />
        <TextField
          label={MODELS.model}
          mono
          value={model.model}
          onChange={(name) => setModel({ ...model, model: name })}
        />
      </div>
      <TextField
        label={MODELS.key}
        type="password"
        autoComplete="off"
        description={MODELS.keyMeaning}
        value={key}
        onChange={setKey}
      />
      <Problem text={problem} />
      <div className={styles.switches}>
        <Button onPress={onCancel}>{MODELS.cancel}</Button>
        <Button
          variant="primary"
          isDisabled={isBusy || !isWhole}
          onPress={() => void attempt(() => onAdd(model, key))}
        >
          {MODELS.save}
        </Button>
      </div>
    </>
  );
}
