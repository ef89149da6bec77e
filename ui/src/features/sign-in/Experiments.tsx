import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type {
  AuthView,
  CommandError,
  ServerView,
  TokenAction,
  TokenReaction,
  TokensView,
} from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { Button } from '@/components/Button';
import { Glyph } from '@/components/Glyph';
import { InlineCode } from '@/components/InlineCode';
import { Select } from '@/components/Select';
import { formatTime } from '@/lib/format';
import { visibleLines } from '@/lib/visible-text';
import styles from './auth.module.css';
import { Exchanges } from './Exchanges';
import { HttpMessage } from './HttpMessage';
import { chosenIdentity } from './sign-in-status';
import { STEP, TRIALS } from './texts';
import tokenStyles from './token.module.css';

interface Props {
  server: ServerView;
  view: AuthView;
  tokens: TokensView;
  /** The tokens may have changed. */
  onDone(): void;
}

/** One experiment and how it went. */
interface Trial {
  id: number;
  at: number;
  title: string;
  reaction: TokenReaction | null;
  failure: CommandError | null;
}

/** Experiments with a token, and the servers' reactions. */
export function Experiments({ server, view, tokens, onDone }: Props) {
  const backend = useBackend();
  const [trials, setTrials] = useState<readonly Trial[]>([]);
  const [running, setRunning] = useState<string | null>(null);
  const grant = chosenIdentity(view)?.grant;

  const act = async (title: string, action: TokenAction) => {
    setRunning(title);
    const trial: Trial = {
      id: trials.length,
      at: Date.now(),
      title,
      reaction: null,
      failure: null,
    };
    try {
      trial.reaction = await backend.testToken(server.id, tokens.identity, action);
    } catch (reason) {
      trial.failure = asCommandError(reason);
    }
    setTrials((before) => [trial, ...before]);
    setRunning(null);
    onDone();
  };
  const offer = (title: string, action: TokenAction, why: string, isPossible = true) => (
    <div className={tokenStyles.experiment}>
      <Button isDisabled={running !== null || !isPossible} onPress={() => void act(title, action)}>
        {title}
      </Button>
      <span className="regular remark">{why}</span>
    </div>
  );

  return (
    <section className={styles.pane} aria-label={TRIALS.title}>
      <div className={styles.bar}>
        <h2 className="ellipsis">{TRIALS.title}</h2>
        {tokens.altered && (
          <span className="push">
            <Button
              isDisabled={running !== null}
              onPress={() => void act(TRIALS.restore, { type: 'restore' })}
            >
              {TRIALS.restore}
            </Button>
          </span>
        )}
      </div>
      <div className="fill h-full scroll">
        <div className="grid gap-3 pad-x-7 pad-y-6 edge-bottom">
          {offer(
            TRIALS.refresh,
            { type: 'refresh' },
            grant?.refreshable ? TRIALS.refreshMeaning : TRIALS.noRefresh,
            grant?.refreshable,
          )}
          {offer(TRIALS.expire, { type: 'pretendExpired' }, TRIALS.expireMeaning)}
          {offer(TRIALS.corrupt, { type: 'corrupt' }, TRIALS.corruptMeaning)}
          <DropScope
            scopes={tokens.scopesGranted}
            isDisabled={running !== null || !grant?.refreshable}
            onDrop={(scope) => void act(TRIALS.drop(scope), { type: 'dropScope', scope })}
          />
          {offer(
            TRIALS.revoke,
            { type: 'revoke' },
            grant?.revocable ? TRIALS.revokeMeaning : TRIALS.noRevocation,
            grant?.revocable,
          )}
        </div>
        <div role="log" aria-label={TRIALS.reactions}>
          {running !== null && <p className={styles.lead}>{TRIALS.running(running)}</p>}
          {trials.map((trial) => (
            <Reaction key={trial.id} trial={trial} />
          ))}
        </div>
      </div>
    </section>
  );
}

interface DropScopeProps {
  scopes: readonly string[];
  isDisabled: boolean;
  onDrop(scope: string): void;
}

function DropScope({ scopes, isDisabled, onDrop }: DropScopeProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const scope = chosen !== null && scopes.includes(chosen) ? chosen : (scopes[0] ?? null);
  const hasMany = scopes.length > 1;
  return (
    <div className={tokenStyles.experiment}>
      <Button
        isDisabled={isDisabled || scope === null || !hasMany}
        onPress={() => scope !== null && onDrop(scope)}
      >
        {TRIALS.dropScope}
      </Button>
      {hasMany ? (
        <Select
          label={TRIALS.scopeToDrop}
          hideLabel
          choices={scopes.map((value) => ({ value, label: value }))}
          value={scope}
          isDisabled={isDisabled}
          onChange={setChosen}
        />
      ) : (
        <span className="regular remark">{TRIALS.tooFewScopes}</span>
      )}
    </div>
  );
}

/** The reaction of the servers, with the messages in line. */
function Reaction({ trial }: { trial: Trial }) {
  const { reaction, failure, title, at } = trial;
  const [open, setOpen] = useState<number | null>(null);
  const shown = reaction?.exchanges.find(({ exchange }) => exchange === open);
  return (
    <article className="stack gap-2 pad-x-7 pad-y-5 edge-bottom" aria-label={title}>
      <p className={tokenStyles.reactionTitle}>
        {reaction?.ok ? <Glyph glyph="✓" tone="ok" /> : <Glyph glyph="✕" tone="bad" />}
        <b>{title}</b>
        <span className="code remark">{formatTime(at)}</span>
      </p>
      <p>{reaction?.message ?? failure?.message}</p>
      {failure?.hint && (
        <p className="regular remark">
          <InlineCode text={visibleLines(failure.hint)} />
        </p>
      )}
      {reaction && reaction.exchanges.length > 0 && (
        <Exchanges
          label={TRIALS.requests(title)}
          exchanges={reaction.exchanges}
          shown={open}
          onSelect={setOpen}
          onOpen={setOpen}
        />
      )}
      {shown && (
        <div className={tokenStyles.inline}>
          <HttpMessage text={shown.request} label={STEP.request} />
          {shown.response !== null && <HttpMessage text={shown.response} label={STEP.response} />}
        </div>
      )}
    </article>
  );
}
