import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerView, SignInView, VaultView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Caution } from '@/components/Caution';
import { Section } from '@/components/Section';
import { TextField } from '@/components/TextField';
import { copyText } from '@/lib/clipboard';
import { hostOf } from '@/lib/url';
import { visibleText } from '@/lib/visible-text';
import { runAction } from '@/state/actions';
import { showError, showNote } from '@/state/notices';
import { useAuth } from '@/state/sign-in/auth';
import { ClauseLink } from '@/widgets/findings/FindingList';
import styles from './auth.module.css';
import { momentText } from './moments';
import { ACCOUNT, WAITING } from './texts';

interface Props {
  server: ServerView;
  attempt: SignInView;
  vault: VaultView;
}

/** The event that a sign-in waits for, and the user's choices meanwhile. */
export function Waiting({ server, attempt, vault }: Props) {
  const selectPage = useAuth((state) => state.selectPage);
  switch (attempt.state) {
    case 'waitingForBrowser':
      return <Browser server={server} attempt={attempt} />;
    case 'waitingForPaste':
      return <Elsewhere server={server} attempt={attempt} />;
    case 'waitingForKeychain':
      return (
        <Section title={WAITING.keychain}>
          <p className={styles.prose}>{WAITING.keychainMeaning(vault.label)}</p>
        </Section>
      );
    case 'paused':
      return (
        <Section
          title={WAITING.paused}
          aside={<Button onPress={() => selectPage(server.id, 'steps')}>{ACCOUNT.showStep}</Button>}
        >
          <p className={styles.prose}>{WAITING.pausedMeaning}</p>
        </Section>
      );
    default:
      return (
        <Section title={WAITING.signingIn}>
          <p className={styles.prose}>{WAITING.signingInMeaning}</p>
        </Section>
      );
  }
}

function Browser({ server, attempt }: Omit<Props, 'vault'>) {
  const backend = useBackend();
  const { address, deadline } = attempt;
  return (
    <Section title={WAITING.browser}>
      <p className={styles.prose}>
        {WAITING.opened}
        <b>{visibleText(hostOf(address ?? ''))}</b>
        {WAITING.signInThere}
        {deadline !== null && WAITING.until(momentText(deadline, Date.now()))}
      </p>
      <Stray attempt={attempt} />
      <div className="flex wrap gap-3 flex-none">
        <Button
          isDisabled={address === null}
          onPress={() => void backend.openAddress(address ?? '').catch(showError)}
        >
          {WAITING.openAgain}
        </Button>
        <CopyAddress address={address} />
      </div>
      <details className={styles.more}>
        <summary>{WAITING.noReturn}</summary>
        <p className={styles.prose}>{visibleText(WAITING.pageError(attempt.redirectUri ?? ''))}</p>
        <Paste server={server} attempt={attempt} />
      </details>
    </Section>
  );
}

function Elsewhere({ server, attempt }: Omit<Props, 'vault'>) {
  return (
    <Section title={WAITING.elsewhere}>
      <p className={styles.prose}>{WAITING.elsewhereMeaning}</p>
      <pre className={styles.box}>{visibleText(attempt.address ?? '')}</pre>
      <div className="flex wrap gap-3 flex-none">
        <CopyAddress address={attempt.address} />
      </div>
      <Stray attempt={attempt} />
      <Paste server={server} attempt={attempt} />
    </Section>
  );
}

/** Tells of an answer that was not used, while the right one is still awaited. */
function Stray({ attempt }: { attempt: SignInView }) {
  const callback = attempt.steps.find(({ step }) => step === 'callback');
  const check = callback?.checks.find(({ verdict }) => verdict === 'failed');
  if (!callback?.summary || !check) return null;
  return (
    <Caution className={styles.prose}>
      {visibleText(callback.summary)}. {check.clause && <ClauseLink clause={check.clause} />}
    </Caution>
  );
}

function CopyAddress({ address }: { address: string | null }) {
  return (
    <Button
      isDisabled={address === null}
      onPress={() => {
        copyText(address ?? '').then(() => showNote(WAITING.copied), showError);
      }}
    >
      {WAITING.copyAddress}
    </Button>
  );
}

/** Takes the address at which the browser ended, where it cannot reach this computer. */
function Paste({ server, attempt }: Omit<Props, 'vault'>) {
  const backend = useBackend();
  const [text, setText] = useState('');
  const start = attempt.redirectUri ?? 'http://127.0.0.1';
  const trimmed = text.trim();
  const isReady = URL.canParse(trimmed);
  const finish = () => {
    if (isReady) backend.pasteRedirect(server.id, trimmed).catch(showError);
  };
  return (
    <div className={styles.paste}>
      <TextField
        label={WAITING.pasted}
        description={WAITING.pastedMeaning(start)}
        placeholder={`${start}?code=…&state=…`}
        mono
        value={text}
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key === 'Enter') finish();
          if (event.key === 'Escape') runAction('auth.cancel');
        }}
      />
      <div className="flex wrap gap-3 flex-none">
        <Button isDisabled={!isReady} onPress={finish}>
          {WAITING.finish}
        </Button>
      </div>
    </div>
  );
}
