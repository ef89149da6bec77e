import { useMemo, useState } from 'react';
import { useAction } from '@/app/actions';
import { Button } from '@/components/button';
import { Kbd } from '@/components/kbd';
import { SchemaForm } from '@/components/schema-form/SchemaForm';
import { parseExact, stringifyExact } from '@/lib/json/exact';
import { taggedText } from '@/lib/json/tagged';
import { initialValue } from '@/lib/schema/initial';
import { prepareSchema } from '@/lib/schema/prepare';
import { SchemaChecker, type Violation } from '@/lib/schema/validate';
import { useAnswerDraft } from '@/state/drafts';
import { elicitResult, paramsOf, textOf } from './params';
import { Refusals } from './Refusals';
import type { AnswerProps } from './RequestsTab';
import styles from './requests.module.css';

/** A question with a form (MCP specification, Elicitation: form mode). */
export function FormElicitation({ request, isSending, onAnswer }: AnswerProps) {
  const schema = useMemo(() => schemaOf(request.params), [request.params]);
  const checker = useMemo(() => new SchemaChecker(schema), [schema]);
  const [value, setValue] = useAnswerDraft(request.id, () => startOf(schema));
  const [unreadable, setUnreadable] = useState<string>();
  const [tried, setTried] = useState(false);
  const violations = check(checker, value);

  const accept = () => {
    setTried(true);
    if (violations.length === 0 && unreadable === undefined)
      onAnswer(elicitResult('accept', value));
  };
  useAction('call.run', accept, { when: !isSending });

  return (
    <>
      <div className={styles.body}>
        <p className={styles.message}>{textOf(paramsOf(request).message)}</p>
        <SchemaForm
          label="Answer"
          schema={schema}
          value={value}
          onChange={setValue}
          violations={tried ? violations : violations.filter((violation) => !violation.missing)}
          onUnreadable={setUnreadable}
        />
      </div>
      <footer className={styles.foot}>
        <Refusals isSending={isSending} onAnswer={onAnswer} />
        <Button variant="primary" isDisabled={isSending} onPress={accept}>
          Accept
          <Kbd shortcut="mod+enter" />
        </Button>
      </footer>
    </>
  );
}

const ANYTHING = '{"type":"object"}';

/** The schema that the answer has to follow, with its numbers as they came. */
function schemaOf(params: string): string {
  try {
    const whole = parseExact(params);
    const schema = (whole as Record<string, Parameters<typeof stringifyExact>[0]>).requestedSchema;
    return schema === undefined ? ANYTHING : stringifyExact(schema);
  } catch {
    return ANYTHING;
  }
}

function startOf(schema: string): string {
  try {
    const prepared = prepareSchema(schema);
    return taggedText(initialValue(prepared, prepared)) ?? '{}';
  } catch {
    return '{}';
  }
}

function check(checker: SchemaChecker, value: string): Violation[] {
  try {
    return checker.check(parseExact(value));
  } catch {
    return [{ pointer: '', message: 'The answer is not JSON', missing: false }];
  }
}
