import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type {
  CaseReport,
  ExpectationDraft,
  RequestTextView,
  RequestView,
} from '@/backend/bindings';
import { Section } from '@/components/Section';
import { useAsyncEffect } from '@/components/use-async-effect';
import { showError, showNote } from '@/state/notices';
import { type AnswerPart, expectationsOf } from '@/state/tests/expectations';
import { EXPECT } from '@/state/tests/save-request';
import { JsonView } from '@/widgets/json-view/JsonView';
import { REQUESTS } from './texts';

interface AnswerProps {
  request: RequestView;
  report: CaseReport | undefined;
  onChanged(view: RequestTextView): void;
}

/** The answer of the last run. A value of it becomes an expectation by a click on it. */
export function Answer({ request, report, onChanged }: AnswerProps) {
  const backend = useBackend();
  const frame = report?.responseFrame ?? null;
  const [answer, setAnswer] = useState<{ part: AnswerPart; text: string } | null>(null);
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
  const add = async (draft: ExpectationDraft) => {
    try {
      const view = await backend.createExpectation(request.path, draft);
      onChanged(view);
      showNote(REQUESTS.expects(view.expectations.at(-1)?.label ?? draft.value));
    } catch (reason) {
      showError(reason);
    }
  };
  return (
    <Section title={REQUESTS.answer}>
      {frame === null || answer === null ? (
        <p className="break-anywhere text-data remark">{REQUESTS.noAnswer}</p>
      ) : (
        <JsonView
          text={answer.text}
          label={REQUESTS.answer}
          action={{
            label: EXPECT,
            entries: (path, value) =>
              expectationsOf(answer.part, path, value).map(({ title, draft }) => ({
                id: draft.is,
                title,
                run: () => void add(draft),
              })),
          }}
        />
      )}
    </Section>
  );
}
