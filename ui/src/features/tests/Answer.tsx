import { ListPlus } from 'lucide-react';
import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { CaseReport, RequestTextView, RequestView } from '@/backend/bindings';
import { Section } from '@/components/Section';
import { Select } from '@/components/Select';
import { useAsyncEffect } from '@/components/use-async-effect';
import type { ExactValue } from '@/lib/json/exact';
import { showError, showNote } from '@/state/notices';
import { JsonView } from '@/widgets/json-view/JsonView';
import { argumentOf, errorValue, POINTED, type PointedPredicate } from './pointed';
import styles from './requests.module.css';
import { REQUESTS } from './texts';
import { jsonPath } from './tree';

interface AnswerProps {
  request: RequestView;
  report: CaseReport | undefined;
  onChanged(view: RequestTextView): void;
}

/** The answer of the last run. A value of it becomes an expectation by pointing at it. */
export function Answer({ request, report, onChanged }: AnswerProps) {
  const backend = useBackend();
  const frame = report?.responseFrame ?? null;
  const [answer, setAnswer] = useState<{ part: 'result' | 'error'; text: string } | null>(null);
  useAsyncEffect(
    () =>
      frame === null
        ? null
        : {
            start: async () => {
              const read = (pointer: string) =>
                backend.getPayloadText({ frame, pointer, form: 'raw' }).catch(() => null);
              const result = await read('/result');
              if (result !== null) return { part: 'result' as const, text: result };
              const error = await read('/error');
              return error === null ? null : { part: 'error' as const, text: error };
            },
            onValue: setAnswer,
            onError: showError,
          },
    [backend, frame],
  );
  const [predicate, setPredicate] = useState<PointedPredicate>('equals');
  const expectThis = async (path: readonly (string | number)[], value: ExactValue) => {
    const source = answer?.part === 'error' ? errorValue(path) : jsonPath(path);
    try {
      const view = await backend.createExpectation(request.path, {
        value: source,
        is: predicate,
        not: false,
        to: argumentOf(predicate, value),
      });
      onChanged(view);
      showNote(REQUESTS.expects(view.expectations.at(-1)?.label ?? source));
    } catch (reason) {
      showError(reason);
    }
  };
  return (
    <Section
      title={REQUESTS.answer}
      aside={
        answer !== null && (
          <Select
            label={REQUESTS.expectAs}
            hideLabel
            className={styles.choice}
            value={predicate}
            choices={POINTED}
            onChange={setPredicate}
          />
        )
      }
    >
      {frame === null || answer === null ? (
        <p className="break-anywhere text-data remark">{REQUESTS.noAnswer}</p>
      ) : (
        <JsonView
          text={answer.text}
          label={REQUESTS.answer}
          action={{
            label: REQUESTS.expectThis,
            icon: <ListPlus size={12} aria-hidden />,
            run: (path, value) => void expectThis(path, value),
          }}
        />
      )}
    </Section>
  );
}
