import { Ellipsis, Plus } from 'lucide-react';
import { useState } from 'react';
import { GridList, GridListItem } from 'react-aria-components';
import { useBackend } from '@/backend/backend';
import type { AuthView, IdentityView, ServerView } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { Glyph } from '@/components/Glyph';
import { Menu } from '@/components/Menu';
import { oneSelected } from '@/components/one-selected';
import { Section } from '@/components/Section';
import { TextField } from '@/components/TextField';
import { hostOf } from '@/lib/url';
import { visibleText } from '@/lib/visible-text';
import { showError, showNote } from '@/state/notices';
import { signInRequest } from '@/state/sign-in/auth';
import { useMinute } from './AccountBar';
import styles from './auth.module.css';
import { untilText } from './moments';
import { IDENTITIES } from './texts';

interface Props {
  server: ServerView;
  view: AuthView;
}

/** The users, or roles, that this server knows; one of them is used by the next connection. */
export function Identities({ server, view }: Props) {
  const backend = useBackend();
  const [isAdding, setAdding] = useState(false);
  return (
    <Section
      title={IDENTITIES.title}
      aside={
        !isAdding && (
          <Button onPress={() => setAdding(true)}>
            <Plus size={13} aria-hidden="true" />
            {IDENTITIES.add}
          </Button>
        )
      }
    >
      <GridList
        aria-label={IDENTITIES.title}
        {...oneSelected(view.identity, (name) => {
          if (name !== view.identity) backend.chooseIdentity(server.id, name).catch(showError);
        })}
        className={styles.identities}
        data-single={view.identities.length === 1 || undefined}
      >
        {view.identities.map((identity) => (
          <GridListItem
            key={identity.name}
            id={identity.name}
            textValue={identity.name}
            className={styles.identity}
          >
            <Identity
              server={server}
              identity={identity}
              isChosen={identity.name === view.identity}
              isOnly={view.identities.length === 1}
            />
          </GridListItem>
        ))}
      </GridList>
      {isAdding && (
        <AddIdentity server={server} taken={view.identities} onDone={() => setAdding(false)} />
      )}
      {view.identities.length > 1 && <p className="regular remark">{IDENTITIES.meaning}</p>}
    </Section>
  );
}

interface IdentityProps {
  server: ServerView;
  identity: IdentityView;
  isChosen: boolean;
  isOnly: boolean;
}

function Identity({ server, identity, isChosen, isOnly }: IdentityProps) {
  const now = useMinute();
  const backend = useBackend();
  const { name, grant, problem } = identity;
  const signIn = () =>
    void backend.signIn(server.id, signInRequest({ identity: name })).catch(showError);
  const signOut = () =>
    void backend.signOut(server.id, name).then(({ message }) => showNote(message), showError);
  const forget = () => void backend.deleteIdentity(server.id, name).catch(showError);
  return (
    <>
      <Glyph glyph={grant ? '●' : '○'} tone={grant ? 'ok' : 'idle'} />
      <span className={styles.identityName}>{name}</span>
      <span className="grow truncate">
        {grant ? (
          <>
            {grant.account && <>{visibleText(grant.account)} · </>}
            {hostOf(grant.issuer)}
            <span className="regular remark"> {untilText(grant.expiresAt, now)}</span>
          </>
        ) : (
          <span className="regular remark">{visibleText(problem ?? IDENTITIES.notSignedIn)}</span>
        )}
      </span>
      {isChosen && !isOnly && <span className="regular remark">{IDENTITIES.inUse}</span>}
      <Menu
        label={IDENTITIES.actions(name)}
        trigger={
          <IconButton label={IDENTITIES.actions(name)}>
            <Ellipsis size={14} aria-hidden="true" />
          </IconButton>
        }
        groups={[
          [
            {
              id: 'sign-in',
              title: grant ? IDENTITIES.signInAgain(name) : IDENTITIES.signIn(name),
              isDisabled: server.blocked?.type === 'refused',
              run: signIn,
            },
            {
              id: 'sign-out',
              title: IDENTITIES.signOut(name),
              isDisabled: grant === null,
              run: signOut,
            },
          ],
          [
            {
              id: 'forget',
              title: IDENTITIES.remove(name),
              isDangerous: true,
              isDisabled: isOnly,
              run: forget,
            },
          ],
        ]}
      />
    </>
  );
}

interface AddProps {
  server: ServerView;
  taken: readonly IdentityView[];
  onDone(): void;
}

function AddIdentity({ server, taken, onDone }: AddProps) {
  const backend = useBackend();
  const [name, setName] = useState('');
  const trimmed = name.trim();
  const isTaken = taken.some((identity) => identity.name === trimmed);
  const isReady = trimmed !== '' && !isTaken;
  const add = () => {
    if (!isReady) return;
    backend.chooseIdentity(server.id, trimmed).then(onDone, showError);
  };
  return (
    <div className={styles.addIdentity}>
      <TextField
        label={IDENTITIES.name}
        hideLabel
        autoFocus
        placeholder={IDENTITIES.examples}
        value={name}
        error={isTaken ? IDENTITIES.taken : undefined}
        onChange={setName}
        onKeyDown={(event) => {
          if (event.key === 'Enter') add();
          if (event.key === 'Escape') onDone();
        }}
      />
      <Button isDisabled={!isReady} onPress={add}>
        {IDENTITIES.confirm}
      </Button>
      <Button variant="quiet" onPress={onDone}>
        {IDENTITIES.cancel}
      </Button>
    </div>
  );
}
