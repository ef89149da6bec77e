import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ItemView, ServerId } from '@/backend/bindings';
import { ToggleButton } from '@/components/Button';
import { CodeText } from '@/components/CodeText';
import { repeatsName } from '@/lib/same-name';
import { titleOf } from '@/lib/schema/describe';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { useAction } from '@/state/actions';
import { useShowsDefinition } from '@/state/calls/asked-definition';
import { useAskedRun } from '@/state/calls/asked-run';
import { useValues } from '@/state/calls/drafts';
import { isRunning, type Run, runIdOf } from '@/state/calls/runs';
import { startRun } from '@/state/calls/start-run';
import { useNavigation } from '@/state/navigation';
import { isConnected } from '@/state/servers/servers';
import { callParams, saveRequest } from '@/state/tests/save-request';
import { CompletionField } from '@/widgets/completion-field/CompletionField';
import { ChangedNote } from '@/widgets/definition/ChangedNote';
import { DefinitionView } from '@/widgets/definition/DefinitionView';
import { DEFINITION } from '@/widgets/definition/texts';
import { useDefinitionChanges } from '@/widgets/definition/use-definition-changes';
import { useStartOnChoice } from '@/widgets/item-list/use-start-on-choice';
import { RunButtons } from '@/widgets/result/RunButtons';
import { readArguments, readPrompt } from './prompt-definition';
import styles from './prompts.module.css';
import { missing as missingText, PROMPT } from './texts';

interface Props {
  server: ServerId;
  item: ItemView;
  run: Run | undefined;
  /** True when the user chose it in the list. */
  isChosen: boolean;
}

/** One prompt: what it is, its arguments, and how to get it. */
export const PromptDetail = memo(function PromptDetail({ server, item, run, isChosen }: Props) {
  const backend = useBackend();
  const body = useRef<HTMLDivElement>(null);
  const prompt = useMemo(() => readPrompt(item.json), [item.json]);
  const [values, setValues] = useValues(`${server}\nprompt\n${item.name}`);
  const [filledFrom, setFilledFrom] = useState<string>();
  const [showsDefinition, setShowsDefinition] = useShowsDefinition(server, 'prompts', item.name);
  const changes = useDefinitionChanges(server, 'prompts', item);
  const prefill = useNavigation((state) => state.prefill);
  const takePrefill = useNavigation((state) => state.takePrefill);
  useEffect(() => {
    const given = prefill && takePrefill(server, 'prompts', item.name);
    if (!given) return;
    setValues(readArguments(given.arguments));
    setFilledFrom(given.from);
    body.current?.querySelector('input')?.focus();
  }, [prefill, takePrefill, server, item.name, setValues]);

  const missing = prompt.arguments.filter(
    ({ name, required }) => required && values[name] === undefined,
  );
  const start = (options?: { isAnew: boolean }) => {
    setFilledFrom(undefined);
    startRun(backend, server, { kind: 'prompt', name: item.name, values }, options);
  };
  const save = () =>
    saveRequest(
      server,
      item.name,
      'prompts/get',
      callParams(item.name, JSON.stringify(values, null, 2)),
    );
  const needsNothing = prompt.arguments.every(({ required }) => !required);
  useStartOnChoice(isChosen && needsNothing && run === undefined, () => {
    if (isConnected(server)) start();
  });
  useAskedRun(runIdOf('prompt', server, item.name), () => isRunning(run) || start());
  useAction('arguments.focus', () => body.current?.querySelector('input')?.focus());

  return (
    <div className="stack min-h-0 h-full">
      <div className={styles.bar}>
        <span className="remark">{PROMPT.arguments}</span>
        <ToggleButton isSelected={showsDefinition} onChange={setShowsDefinition}>
          {DEFINITION.show}
        </ToggleButton>
        <RunButtons server={server} run={run} title={PROMPT.get} onRun={start} onSave={save} />
      </div>
      <div ref={body} className={styles.body}>
        <h2 className={styles.name}>{visibleText(item.name)}</h2>
        {prompt.title && !repeatsName(prompt.title, item.name) && (
          <p dir="auto">{visibleText(prompt.title)}</p>
        )}
        {prompt.description && (
          <p className={styles.description} dir="auto">
            {visibleLines(prompt.description)}
          </p>
        )}
        {item.problem && <p className="warn">▲ {item.problem}</p>}
        {!showsDefinition && (
          <ChangedNote changes={changes} onShow={() => setShowsDefinition(true)} />
        )}
        {showsDefinition && <DefinitionView json={item.json} changes={changes} />}
        {filledFrom !== undefined && (
          <p role="status" className="mt-5 faint">
            {PROMPT.filledIn(filledFrom)}
          </p>
        )}
        {!showsDefinition && prompt.arguments.length === 0 && (
          <p className="mt-5 faint">{PROMPT.noArguments}</p>
        )}
        {(showsDefinition ? [] : prompt.arguments).map((argument) => (
          <div key={argument.name} className="relative">
            <CompletionField
              server={server}
              reference={{ type: 'prompt', name: item.name }}
              name={argument.name}
              title={argument.title ?? titleOf({}, argument.name)}
              description={argument.description ?? ''}
              isRequired={argument.required}
              value={values[argument.name]}
              others={Object.entries(values).filter(([name]) => name !== argument.name)}
              onChange={(value) => setValues((before) => ({ ...before, [argument.name]: value }))}
            />
            {!argument.required && values[argument.name] !== undefined && (
              <button
                type="button"
                className={styles.leaveOut}
                aria-label={PROMPT.dontSendNamed(argument.name)}
                onClick={() => setValues(({ [argument.name]: _, ...rest }) => rest)}
              >
                {PROMPT.dontSend}
              </button>
            )}
          </div>
        ))}
      </div>
      {missing.length > 0 && (
        <footer className={styles.foot}>
          <span className="warn">▲</span>{' '}
          <CodeText text={missingText(missing.map(({ name }) => visibleText(name)))} />{' '}
          {PROMPT.getAnyway}
        </footer>
      )}
    </div>
  );
});
