import { useMemo, useRef, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { SchemaProblem } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { focusProblem } from '@/components/schema-form/focus-problem';
import { SchemaForm } from '@/components/schema-form/SchemaForm';
import {
  type ExactValue,
  isExactObject,
  parseExact,
  readExact,
  stringifyExact,
} from '@/lib/json/exact';
import { readJson } from '@/lib/json/read';
import { initialText } from '@/lib/schema/initial';
import { visibleLines } from '@/lib/visible-text';
import { useAnswerDraft } from '@/state/calls/drafts';
import { checked, useSchemaCheck } from '@/state/calls/schema-check';
import { AcceptButton, Refusals } from './AnswerButtons';
import type { AnswerProps } from './params';
import { elicitResult, paramsOf, textOf } from './params';
import styles from './questions.module.css';
import { notChecked, TEXT } from './texts';

/** A question with a form (MCP specification, Elicitation: form mode). */
export function FormElicitation({ question, isSending, onAnswer }: AnswerProps) {
  const backend = useBackend();
  const schema = useMemo(() => schemaOf(question.params), [question.params]);
  const [value, setValue] = useAnswerDraft(question.id, () => initialText(schema));
  const [unreadable, setUnreadable] = useState<string>();
  const body = useRef<HTMLDivElement>(null);
  const [tried, setTried] = useState(false);
  const isJson = 'value' in useMemo(() => readJson(value), [value]);
  const check = useSchemaCheck(schema, isJson ? value : undefined);
  const violations = isJson ? (check?.problems ?? NO_VIOLATIONS) : NOT_JSON;

  // Nobody may have looked at a form that wants nothing; so it is accepted empty only on purpose.
  const isEmpty = useMemo(() => isJson && isEmptyOf(value, schema), [isJson, value, schema]);
  // Without an outcome yet it may be the whole answer, which no key accepts.
  const isUnwritten = isEmpty && violations.length === 0;
  const isWholeEmpty = isUnwritten && check !== undefined;

  const accept = async (isMeantEmpty = false) => {
    setTried(true);
    if (!isJson || unreadable !== undefined) return;
    // That of the value as it is now: the one above may still be about the value before.
    const last = await Promise.race([checked(backend, schema, value), later()]);
    const wrong = last?.problems ?? NO_VIOLATIONS;
    if (wrong.length > 0) focusProblem(body.current, wrong);
    else if (!isEmpty || isMeantEmpty) onAnswer(elicitResult('accept', value));
  };

  return (
    <>
      <div ref={body} className={styles.body}>
        <p className="pre-wrap selectable" dir="auto">
          {visibleLines(textOf(paramsOf(question).message))}
        </p>
        <SchemaForm
          label={TEXT.answer}
          schema={schema}
          value={value}
          onChange={setValue}
          violations={tried ? violations : violations.filter((violation) => !violation.missing)}
          onUnreadable={setUnreadable}
        />
        {check?.notChecked != null && (
          <p className={styles.note}>▲ {notChecked(check.notChecked)}</p>
        )}
      </div>
      <footer className={styles.foot} data-confirms>
        {isWholeEmpty && <span className={styles.note}>{TEXT.nothingFilledIn}</span>}
        {/* On this side it moves none of the others when it comes or goes. */}
        {isWholeEmpty && (
          <Button isDisabled={isSending} onPress={() => void accept(true)}>
            {TEXT.acceptEmpty}
          </Button>
        )}
        <Refusals isSending={isSending} onAnswer={onAnswer} />
        <AcceptButton
          isDisabled={isSending || isUnwritten}
          isWritten={!isUnwritten}
          onPress={() => void accept()}
        />
      </footer>
    </>
  );
}

/** Milliseconds that an answer waits for its check. */
const CHECK_TIMEOUT = 1_500;

const NO_VIOLATIONS: readonly SchemaProblem[] = [];

const NOT_JSON: readonly SchemaProblem[] = [
  { pointer: '', message: TEXT.notJson, sentence: TEXT.notJson, missing: false },
];

const ANYTHING = '{"type":"object"}';

/** The schema that the answer has to follow, with its numbers as they came. */
function schemaOf(params: string): string {
  const { requestedSchema: schema } = membersOf(readExact(params));
  return schema === undefined ? ANYTHING : stringifyExact(schema);
}

/** Tells whether an answer has no content though the form asks for some. */
function isEmptyOf(answer: string, schema: string): boolean {
  const content = parseExact(answer);
  const { properties } = membersOf(parseExact(schema));
  const hasFields = properties !== undefined && sizeOf(properties) > 0;
  return hasFields && isExactObject(content) && sizeOf(content) === 0;
}

function membersOf(value: ExactValue | undefined): { [key: string]: ExactValue } {
  return isExactObject(value) ? value : {};
}

function sizeOf(value: ExactValue): number {
  return Object.keys(membersOf(value)).length;
}

/** Ends the wait for a check: the server checks the answer, too. */
function later(): Promise<undefined> {
  return new Promise((done) => {
    setTimeout(() => done(undefined), CHECK_TIMEOUT);
  });
}
