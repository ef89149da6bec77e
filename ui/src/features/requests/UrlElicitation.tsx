import { useBackend } from '@/backend/backend';
import { Button } from '@/components/button';
import { showError } from '@/components/toast';
import { elicitResult, paramsOf, textOf } from './params';
import type { AnswerProps } from './RequestsTab';
import styles from './requests.module.css';

/** A question that is answered on a web page (MCP specification, Elicitation: URL mode). */
export function UrlElicitation({ request, isSending, onAnswer }: AnswerProps) {
  const backend = useBackend();
  const params = paramsOf(request);
  const url = textOf(params.url);
  const host = URL.canParse(url) ? new URL(url).host : '';

  const open = async () => {
    try {
      await backend.openAddress(url);
      onAnswer(elicitResult('accept'));
    } catch (reason) {
      showError(reason);
    }
  };

  return (
    <>
      <div className={styles.body}>
        <p className={styles.message}>{textOf(params.message)}</p>
        <p>
          It wants to open this page
          {host && (
            <>
              {' '}
              of <b>{host}</b>
            </>
          )}{' '}
          in your browser. What you enter there stays between you and that page.
        </p>
        <pre className={styles.text}>{url}</pre>
      </div>
      <footer className={styles.foot}>
        <Button isDisabled={isSending} onPress={() => onAnswer(elicitResult('cancel'))}>
          Cancel
        </Button>
        <Button isDisabled={isSending} onPress={() => onAnswer(elicitResult('decline'))}>
          Decline
        </Button>
        <Button variant="primary" isDisabled={isSending || host === ''} onPress={open}>
          Open in browser
        </Button>
      </footer>
    </>
  );
}
