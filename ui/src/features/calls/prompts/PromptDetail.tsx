import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ItemView, ServerId } from '@/backend/bindings';
import { CodeText } from '@/components/CodeText';
import { membersIn, readMembers } from '@/lib/json/members';
import { repeatsName } from '@/lib/same-name';
import { titleOf } from '@/lib/schema/describe';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { useAction } from '@/state/actions';
import { useAskedRun } from '@/state/calls/asked-run';
import { useValues } from '@/state/calls/drafts';
import { isRunning, type Run, runIdOf } from '@/state/calls/runs';
import { startRun } from '@/state/calls/start-run';
import { useNavigation } from '@/state/navigation';
import { isConnected } from '@/state/servers/servers';
import { callParams, saveRequest } from '@/state/tests/save-request';
import { CompletionField } from '@/widgets/completion-field/CompletionField';
import { useDefinition } from '@/widgets/definition/use-definition';
import { useStartOnChoice } from '@/widgets/item-list/use-item';
import { RunButtons } from '@/widgets/result/RunButtons';
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
  const definition = useDefinition(server, 'prompts', item.name, item);
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
        {definition.button}
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
        {definition.note}
        {definition.view}
        {filledFrom !== undefined && (
          <p role="status" className="mt-5 faint">
            {PROMPT.filledIn(filledFrom)}
          </p>
        )}
        {!definition.view && prompt.arguments.length === 0 && (
          <p className="mt-5 faint">{PROMPT.noArguments}</p>
        )}
        {(definition.view ? [] : prompt.arguments).map((argument) => (
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

/** An argument of a prompt (MCP, PromptArgument). */
interface PromptArgument {
  name: string;
  title: string | undefined;
  description: string | undefined;
  required: boolean;
}

interface PromptDefinition {
  title: string | undefined;
  description: string | undefined;
  arguments: PromptArgument[];
}

function readPrompt(json: string): PromptDefinition {
  const prompt = readMembers(json);
  const list = Array.isArray(prompt.arguments) ? prompt.arguments : [];
  return {
    title: text(prompt.title),
    description: text(prompt.description),
    arguments: list.flatMap((raw: unknown) => {
      const argument = membersIn(raw);
      const name = text(argument.name);
      if (name === undefined) return [];
      return [
        {
          name,
          title: text(argument.title),
          description: text(argument.description),
          required: argument.required === true,
        },
      ];
    }),
  };
}

/** Arguments that were handed over as a JSON object; what is no string is written as JSON. */
function readArguments(json: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(readMembers(json)).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
