import { useEffect, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ModelAnswer, ModelCall, ModelQuestion } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Problem } from '@/components/Problem';
import { Section } from '@/components/Section';
import { Select } from '@/components/Select';
import { TextField } from '@/components/TextField';
import { formatCount } from '@/lib/format';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { showDialog } from '@/state/dialogs';
import { useNavigation } from '@/state/navigation';
import { useAttempt } from '@/state/servers/attempt';
import { useSnapshot } from '@/state/snapshot';
import styles from '../clients.module.css';
import type { ClientScope } from '../scope';
import { ASK } from '../texts';

/** A prompt to a model, and the call that it would make. Nothing is sent without a click. */
export function AskSection({ scope }: { scope: ClientScope }) {
  const models = useSnapshot((state) => state.settings.models);
  if (models.length === 0) {
    return (
      <EmptyState
        title={ASK.noModel}
        action={
          <Button variant="primary" onPress={() => showDialog({ kind: 'settings' })}>
            {ASK.settings}
          </Button>
        }
      >
        {ASK.noModelHint}
      </EmptyState>
    );
  }
  return <AskForm scope={scope} names={models.map(({ name }) => name)} />;
}

interface Asked {
  question: ModelQuestion;
  answer: ModelAnswer;
}

function AskForm({ scope, names }: { scope: ClientScope; names: readonly string[] }) {
  const backend = useBackend();
  const [chosen, setChosen] = useState(names[0] ?? '');
  const model = names.includes(chosen) ? chosen : (names[0] ?? '');
  const [prompt, setPrompt] = useState('');
  const [asked, setAsked] = useState<Asked | null>(null);
  const [tokens, setTokens] = useState<number | null>(null);
  const asking = useAttempt();
  const counting = useAttempt();
  const question = (text: string): ModelQuestion => ({
    model,
    servers: [...scope.connected],
    scheme: scope.client.scheme,
    prompt: text,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a count is that of one list and one model.
  useEffect(() => setTokens(null), [model, scope]);
  const ask = () =>
    asking.attempt(async () => {
      const sent = question(prompt);
      setAsked({ question: sent, answer: await backend.askModel(sent) });
    });
  const count = () =>
    counting.attempt(async () => setTokens(await backend.countModelTokens(question(''))));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <div className={styles.page} tabIndex={0}>
      <Section title={ASK.title}>
        <p className="remark">{ASK.meaning(scope.client.title)}</p>
        <div className="flex wrap items-end gap-4">
          <Select
            label={ASK.model}
            choices={names.map((name) => ({ value: name, label: visibleText(name) }))}
            value={model}
            onChange={setChosen}
          />
          <Button isDisabled={counting.isBusy} onPress={() => void count()}>
            {ASK.count}
          </Button>
          {tokens !== null && <span role="status">{ASK.counted(formatCount(tokens))}</span>}
        </div>
        <Problem text={counting.problem} />
        <TextField
          label={ASK.prompt}
          lines={3}
          placeholder={ASK.promptHint}
          value={prompt}
          onChange={setPrompt}
        />
        <div className="row wrap gap-4">
          <Button
            variant="primary"
            isDisabled={asking.isBusy || prompt.trim() === ''}
            onPress={() => void ask()}
          >
            {asking.isBusy ? ASK.asking : ASK.ask}
          </Button>
          <span className="remark">{ASK.nothingRuns}</span>
        </div>
        <Problem text={asking.problem} />
      </Section>
      {asked && (
        <Section title={ASK.answer}>
          <div role="status" className="stack gap-1 break-anywhere">
            <p>{ASK.outcome(asked.answer.calls.length, visibleText(asked.answer.model))}</p>
            {asked.answer.text !== '' && (
              <p className="pre-wrap selectable" dir="auto">
                {visibleLines(asked.answer.text)}
              </p>
            )}
          </div>
          {asked.answer.calls.map((call, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the calls of one answer never move
            <CallOfModel key={index} call={call} />
          ))}
          <WhyNot
            key={asked.question.prompt}
            question={asked.question}
            called={asked.answer.calls[0]?.sentName ?? null}
          />
        </Section>
      )}
    </div>
  );
}

/** A call that a model would make; it is made by the tool's own form. */
function CallOfModel({ call }: { call: ModelCall }) {
  const { server, tool, sentName: name, arguments: input, problem } = call;
  const open = useNavigation((state) => state.open);
  return (
    <article
      className="stack gap-3 pad-x-4 pad-y-4 frame"
      aria-label={ASK.callOf(visibleText(name))}
    >
      <header className="row wrap gap-4">
        <code>{visibleText(name)}</code>
        {server !== null && tool !== null && (
          <Button
            onPress={() =>
              open({
                server,
                tab: 'tools',
                list: 'tools',
                item: tool,
                arguments: input,
                from: ASK.from,
              })
            }
          >
            {ASK.openCall}
          </Button>
        )}
      </header>
      <pre className={styles.sentArguments}>{visibleLines(input)}</pre>
      <Problem text={problem} />
    </article>
  );
}

interface WhyNotProps {
  question: ModelQuestion;
  /** The tool that the model called, by the name that was sent. */
  called: string | null;
}

/** Asks the model why it did not call the tool that was expected. */
function WhyNot({ question, called }: WhyNotProps) {
  const backend = useBackend();
  const [expected, setExpected] = useState('');
  const [reason, setReason] = useState<string | null>(null);
  const { isBusy, problem, attempt } = useAttempt();
  const ask = () =>
    attempt(async () => setReason(await backend.explainChoice(question, called, expected.trim())));
  return (
    <>
      <div className={styles.whyNot}>
        <TextField
          label={ASK.expected}
          mono
          placeholder="mcp__server__tool"
          value={expected}
          onChange={setExpected}
        />
        <Button isDisabled={isBusy || expected.trim() === ''} onPress={() => void ask()}>
          {isBusy ? ASK.asking : ASK.whyNot}
        </Button>
      </div>
      <Problem text={problem} />
      {reason !== null && (
        <p role="status" className="pre-wrap selectable" dir="auto">
          {visibleLines(reason)}
        </p>
      )}
    </>
  );
}
