import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { AnswerRuleDraft, AnswerRulesText, AnswerRulesView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import type { EditorProblem } from '@/components/json-editor/editor-props';
import { JsonEditor } from '@/components/json-editor/JsonEditor';
import { useAsyncEffect } from '@/components/use-async-effect';
import { listOf } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { useClose } from '@/state/dialogs';
import { showError, showNote } from '@/state/notices';
import { useAttempt } from '@/state/servers/attempt';
import { RuleList } from './Rules';
import { RULES } from './texts';

/** Milliseconds after the last key before the text is looked at. */
const CHECK_DELAY = 150;

interface RulesDialogProps {
  /** A rule that was made, to be put at the end of the file. */
  addition?: AnswerRuleDraft;
  /** Answers the question that it was made of, once that is saved. */
  then?: () => void;
}

/** The file of the rules that answer questions; of a rule that was made, what it does. */
export function RulesDialog({ addition, then }: RulesDialogProps) {
  const backend = useBackend();
  const close = useClose();
  const [read, setRead] = useState<AnswerRulesText | null>(null);
  const [text, setText] = useState('');
  const [view, setView] = useState<AnswerRulesView | null>(null);
  const [isAsText, setAsText] = useState(addition === undefined);
  const { isBusy, problem, attempt } = useAttempt();
  useAsyncEffect(
    () => ({
      start: () => backend.getAnswerRulesText(),
      onValue: (read) => {
        setRead(read);
        setText(withAddition(read.text, addition?.text));
        // What was made is shown once it is read.
        if (addition === undefined) setView(read.view);
      },
      onError: (reason) => {
        showError(reason);
        close();
      },
    }),
    [backend, addition, close],
  );
  const isChanged = read !== null && text !== read.text;
  useAsyncEffect(
    () =>
      isChanged
        ? { start: () => backend.checkAnswerRules(text), onValue: setView, delay: CHECK_DELAY }
        : null,
    [backend, text, isChanged],
  );
  const save = () =>
    attempt(async () => {
      if (!read) return;
      await backend.updateAnswerRules(text, read.hash);
      showNote(RULES.saved);
      close();
      then?.();
    });
  const problems: EditorProblem[] = (view?.problems ?? []).map((problem) => ({
    ...problem,
    severity: 'error',
  }));
  const leftOut = addition?.leftOut ?? [];
  const made = then ? RULES.always : RULES.make;
  return (
    <Dialog
      title={isAsText ? RULES.title : made}
      isOpen
      width="wide"
      asksToDiscard
      problem={problem}
      onClose={close}
      more={!isAsText && <Button onPress={() => setAsText(true)}>{RULES.asText}</Button>}
      action={{
        label: isAsText ? RULES.save : made,
        isDisabled: isBusy || !isChanged || view === null || problems.length > 0,
        run: () => void save(),
      }}
    >
      <div className="stack gap-4 plain-list">
        <p className="remark">{RULES.meaning}</p>
        {leftOut.length > 0 && (
          <p className="warn">▲ {RULES.leftOut(listOf(leftOut.map(visibleText)))}</p>
        )}
        {read && isAsText && (
          <>
            <code className="break-anywhere selectable remark">{visibleText(read.view.path)}</code>
            <JsonEditor
              label={RULES.text}
              language="toml"
              lineNumbers
              value={text}
              onChange={setText}
              problems={problems}
              placeholder={RULES.example}
              minimumLines={12}
            />
          </>
        )}
        {problems.map(({ line, column, message }) => (
          <p key={`${line}:${column}`} className="bad">
            ✕ {line}:{column} {visibleText(message)}
          </p>
        ))}
        {view && problems.length === 0 && (
          <RuleList rules={isAsText ? view.rules : view.rules.slice(-1)} />
        )}
      </div>
    </Dialog>
  );
}

function withAddition(text: string, addition: string | undefined): string {
  if (addition === undefined) return text;
  const before = text.trimEnd();
  return before === '' ? addition : `${before}\n\n${addition}`;
}
