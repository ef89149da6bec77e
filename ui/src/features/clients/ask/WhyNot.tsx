import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ModelQuestion } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Problem } from '@/components/Problem';
import { TextField } from '@/components/TextField';
import { visibleLines } from '@/lib/visible-text';
import { useAttempt } from '@/state/servers/attempt';
import styles from '../model.module.css';
import { ASK } from '../texts';

interface WhyNotProps {
  question: ModelQuestion;
  /** The tool that the model called, by the name that was sent. */
  called: string | null;
}

/** Asks the model why it did not call the tool that was expected. */
export function WhyNot({ question, called }: WhyNotProps) {
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
