import { Plus, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerView } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { TextField } from '@/components/TextField';
import { formatTime } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { showError } from '@/state/notices';
import { useRequests } from '@/state/requests';
import styles from './requests.module.css';
import { textOfRoots } from './roots-text';

/** The folders that a server is told it may use, and when it asked (MCP specification, Roots). */
export function Roots({ server }: { server: ServerView }) {
  const backend = useBackend();
  const { folders, is_default: isDefault } = server.roots;
  const save = (chosen: string[] | null) => backend.saveRoots(server.id, chosen);
  const remove = (folder: string) =>
    void save(folders.filter((known) => known !== folder)).catch(showError);

  return (
    <section className={styles.body} aria-label="Folders">
      <h2>Folders this server may use</h2>
      <p className={styles.remark}>
        A server that asks for its folders (roots) is answered at once with these.{' '}
        {isDefault
          ? folders.length > 0
            ? 'You chose none for this server, so it is told the project’s folder.'
            : 'You chose none for this server, and the project’s folder is not trusted, so it is told none.'
          : 'You chose them for this server.'}
      </p>
      {folders.length > 0 ? (
        <ul className={styles.folders} aria-label="Folders this server may use">
          {folders.map((folder) => (
            <li key={folder}>
              <code>{visibleText(folder)}</code>
              <IconButton label={`Remove ${visibleText(folder)}`} onPress={() => remove(folder)}>
                <X size={13} aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      ) : (
        <p>None</p>
      )}
      <AddFolder onAdd={(folder) => save([...folders, folder])} />
      {!isDefault && (
        <div>
          <Button onPress={() => void save(null).catch(showError)}>Use the default</Button>
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
        label="Folder to add"
        placeholder="/path/to/folder"
        mono
        value={text}
        onChange={setText}
      />
      <Button type="submit" isDisabled={text.trim() === ''}>
        <Plus size={13} aria-hidden="true" />
        Add folder
      </Button>
    </form>
  );
}

/** The answers that were given without asking the user. */
function Answers({ server }: { server: ServerView }) {
  const automatic = useRequests((state) => state.automatic);
  const answers = automatic.filter((answer) => answer.server === server.id).reverse();
  if (answers.length === 0) {
    return <p className={styles.remark}>It has not asked for them yet.</p>;
  }
  return (
    <>
      <h3>Answered automatically</h3>
      <ul className={styles.answers} aria-label="Answered automatically">
        {answers.map((answer) => (
          <li key={answer.at}>
            <span className={styles.time}>{formatTime(answer.at ?? 0).slice(0, 8)}</span>
            <code className={styles.method}>{answer.method}</code>
            <span>{visibleText(textOfRoots(answer.json))}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
