import { useMemo } from 'react';
import { Pairs } from '@/components/pairs/Pairs';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { JsonView } from '@/widgets/json-view/JsonView';
import styles from './auth.module.css';
import { addressParameters, formParameters, readableBody, readHttpText } from './http-text';
import messagesStyles from './messages.module.css';
import { MESSAGE } from './texts';

/** A request or a response: start line, headers, parameters, body. Secrets are masked in it. */
export function HttpMessage({ text, label }: { text: string; label: string }) {
  const message = useMemo(() => readHttpText(text), [text]);
  const body = useMemo(() => readableBody(message.body), [message.body]);
  const target = message.start.split(' ')[1] ?? '';
  const query = addressParameters(target.startsWith('/') ? `http://host${target}` : target);
  const form = formParameters(message);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <section className={messagesStyles.message} aria-label={label} tabIndex={0}>
      <p className={messagesStyles.start}>{visibleText(message.start)}</p>
      <Pairs label={MESSAGE.headers} pairs={message.headers} />
      {query.length > 0 && <Pairs label={MESSAGE.address} pairs={query} isTitled />}
      {form.length > 0 && <Pairs label={MESSAGE.form} pairs={form} isTitled />}
      {body.isJson ? (
        <JsonView text={body.text} label={MESSAGE.body(label)} />
      ) : (
        form.length === 0 &&
        body.text !== '' && <pre className={styles.body}>{visibleLines(body.text)}</pre>
      )}
    </section>
  );
}
