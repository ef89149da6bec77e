import { useState } from 'react';
import { Button } from '@/components/Button';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { showError } from '@/state/notices';
import { useAddress } from '@/widgets/address/use-address';
import type { AnswerProps } from './answer-props';
import { elicitResult, paramsOf, textOf } from './params';
import styles from './questions.module.css';
import { Refusals } from './Refusals';
import { TEXT } from './texts';

/** A question that is answered on a web page (MCP specification, Elicitation: URL mode). */
export function UrlElicitation({ question, isSending, onAnswer }: AnswerProps) {
  const params = paramsOf(question);
  const { opened: address, shown, open: openAddress } = useAddress(textOf(params.url));
  const host = address === undefined ? '' : new URL(address).host;

  // Such a call is sent again once this is answered, so only the user knows when.
  const waits = question.beforeAnotherTry;
  const [opened, setOpened] = useState(false);

  const open = async () => {
    if (address === undefined) return;
    try {
      await openAddress();
      setOpened(true);
      if (!waits) onAnswer(elicitResult('accept'));
    } catch (reason) {
      showError(reason);
    }
  };

  return (
    <>
      <div className={styles.body}>
        <p className="pre-wrap selectable" dir="auto">
          {visibleLines(textOf(params.message))}
        </p>
        <p>
          {TEXT.wantsPage}
          {host && (
            <>
              {TEXT.ofHost}
              <b>{visibleText(host)}</b>
            </>
          )}
          {TEXT.inBrowser}
        </p>
        <pre className="code-block pre-wrap">{visibleText(shown)}</pre>
        {waits && <p>{TEXT.callAgain}</p>}
      </div>
      <footer className={styles.foot} data-confirms>
        <Refusals isSending={isSending} onAnswer={onAnswer} />
        <Button
          variant={waits && opened ? 'plain' : 'primary'}
          isDisabled={isSending || address === undefined}
          onPress={open}
        >
          {TEXT.open}
        </Button>
        {waits && opened && (
          <Button
            variant="primary"
            isDisabled={isSending}
            onPress={() => onAnswer(elicitResult('accept'))}
          >
            {TEXT.done}
          </Button>
        )}
      </footer>
    </>
  );
}
