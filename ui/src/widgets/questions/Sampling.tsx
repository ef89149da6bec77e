import { Button } from '@/components/Button';
import { Kbd } from '@/components/Kbd';
import { Facts } from '@/components/Section';
import { TextField } from '@/components/TextField';
import { visibleLines } from '@/lib/visible-text';
import { useAction } from '@/state/actions';
import { useAnswerDraft } from '@/state/drafts';
import type { AnswerProps } from './answer-props';
import { paramsOf, REFUSED, textOf } from './params';
import styles from './questions.module.css';
import { TEXT } from './texts';

interface Message {
  role: string;
  content: unknown;
}

/** A request for a model's completion, which the user answers in the model's place. */
export function Sampling({ request, isSending, onAnswer }: AnswerProps) {
  const params = paramsOf(request);
  const [text, setText] = useAnswerDraft(request.id, () => '');
  const messages = Array.isArray(params.messages) ? (params.messages as Message[]) : [];

  const accept = () =>
    onAnswer({
      type: 'result',
      json: JSON.stringify({
        role: 'assistant',
        content: { type: 'text', text },
        model: 'answered by a person',
        stopReason: 'endTurn',
      }),
    });
  useAction('call.run', accept, { when: !isSending });

  return (
    <>
      <div className={styles.body}>
        <Facts
          facts={[
            [TEXT.systemPrompt, visibleLines(textOf(params.systemPrompt))],
            [TEXT.limit, params.maxTokens === undefined ? null : TEXT.tokens(params.maxTokens)],
          ]}
        />
        <ol className={styles.messages}>
          {messages.map((message, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the messages of one request never move
            <li key={index}>
              <h3>{message.role === 'assistant' ? TEXT.assistant : TEXT.user}</h3>
              <pre className={styles.text}>{visibleLines(contentText(message.content))}</pre>
            </li>
          ))}
        </ol>
        <TextField
          label={TEXT.answer}
          description={TEXT.samplingRemark}
          lines={6}
          value={text}
          onChange={setText}
        />
      </div>
      <footer className={styles.foot}>
        <Button isDisabled={isSending} onPress={() => onAnswer(REFUSED)}>
          {TEXT.decline}
        </Button>
        <Button variant="primary" isDisabled={isSending} onPress={accept}>
          {TEXT.accept}
          <Kbd shortcut="mod+enter" />
        </Button>
      </footer>
    </>
  );
}

/** The text of a message's content; anything else as JSON. */
function contentText(content: unknown): string {
  const blocks: unknown[] = Array.isArray(content) ? content : [content];
  return blocks
    .map((block) => {
      const { type, text } = (block ?? {}) as { type?: string; text?: string };
      return type === 'text' && text !== undefined ? text : JSON.stringify(block, null, 2);
    })
    .join('\n');
}
