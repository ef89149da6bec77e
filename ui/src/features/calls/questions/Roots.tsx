import { Plus, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerView } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { TextField } from '@/components/TextField';
import { formatTime } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { useQuestions } from '@/state/calls/questions';
import { showError } from '@/state/notices';
import styles from './questions.module.css';
import { textOfRoots } from './roots-text';
import { ROOTS } from './texts';

/** The folders that a server is told it may use, and when it asked (MCP specification, Roots). */
export function Roots({ server }: { server: ServerView }) {
  const backend = useBackend();
  const { folders, isDefault } = server.roots;
  const save = (chosen: string[] | null) => backend.updateRoots(server.id, chosen);
  const remove = (folder: string) =>
    void save(folders.filter((known) => known !== folder)).catch(showError);

  return (
    <section className={styles.body} aria-label={ROOTS.label}>
      <h2>{ROOTS.title}</h2>
      <p className="remark">
        {ROOTS.meaning}{' '}
        {isDefault ? (folders.length > 0 ? ROOTS.byDefault : ROOTS.noneByDefault) : ROOTS.chosen}
      </p>
      {folders.length > 0 ? (
        <ul className={styles.folders} aria-label={ROOTS.list}>
          {folders.map((folder) => (
            <li key={folder}>
              <code>{visibleText(folder)}</code>
              <IconButton
                icon={X}
                label={ROOTS.remove(visibleText(folder))}
                onPress={() => remove(folder)}
              />
            </li>
          ))}
        </ul>
      ) : (
        <p>{ROOTS.none}</p>
      )}
      <AddFolder onAdd={(folder) => save([...folders, folder])} />
      {!isDefault && (
        <div>
          <Button onPress={() => void save(null).catch(showError)}>{ROOTS.useDefault}</Button>
        </div>
      )}
      <Answers server={server} />
    </section>
  );
}

function AddFolder({ onAdd }: { onAdd: (folder: string) => Promise<unknown> }) {
  const [text, setText] = useState('');
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return;
    onAdd(text)
      .then(() => setText(''))
      .catch(showError);
  };
  return (
    <form className={styles.addFolder} onSubmit={add}>
      <TextField
        label={ROOTS.toAdd}
        placeholder={ROOTS.placeholder}
        mono
        value={text}
        onChange={setText}
      />
      <Button type="submit" isDisabled={text.trim() === ''}>
        <Plus size={13} />
        {ROOTS.add}
      </Button>
    </form>
  );
}

const ROOTS_METHOD = 'roots/list';

/** The answers that were given without asking the user. */
function Answers({ server }: { server: ServerView }) {
  const automatic = useQuestions((state) => state.automatic);
  const answers = automatic
    .filter((answer) => answer.server === server.id && answer.method === ROOTS_METHOD)
    .reverse();
  if (answers.length === 0) {
    return <p className="remark">{ROOTS.neverAsked}</p>;
  }
  return (
    <>
      <h3>{ROOTS.answered}</h3>
      <ul className={styles.answers} aria-label={ROOTS.answered}>
        {answers.map((answer) => (
          <li key={answer.at}>
            <span className={styles.time}>{formatTime(answer.at ?? 0).slice(0, 8)}</span>
            <code className="ellipsis remark">{answer.method}</code>
            <span>{visibleText(textOfRoots(answer.json))}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
