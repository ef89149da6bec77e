import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { AuthView, ServerView, TokenKind, TokenPart, TokensView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Caution } from '@/components/Caution';
import { EmptyState } from '@/components/EmptyState';
import { ListDetail } from '@/components/list-detail/ListDetail';
import { Section } from '@/components/Section';
import { Segmented } from '@/components/Segmented';
import { TableHead } from '@/components/TableHead';
import { copyText } from '@/lib/clipboard';
import { compareScopes } from '@/lib/scopes';
import { visibleText } from '@/lib/visible-text';
import { showError, showNote } from '@/state/notices';
import { JsonView } from '@/widgets/json-view/JsonView';
import { useAnswer } from '@/widgets/use-answer';
import { useMinute } from './AccountBar';
import styles from './auth.module.css';
import { Checks } from './Checks';
import { Experiments } from './Experiments';
import messagesStyles from './messages.module.css';
import { momentText, untilText } from './moments';
import { chosenIdentity } from './sign-in-status';
import { TOKEN, TOKEN_KINDS } from './texts';
import tokenStyles from './token.module.css';

const PANES = [
  { id: 'token', min: 300 },
  { id: 'experiments', size: 400, min: 260, keepsPixels: true },
] as const;

/** The claims of a token, whether they fit this server, and the effects of a change. */
export function TokenPage({ server, view }: { server: ServerView; view: AuthView }) {
  const { answer, reload } = useTokens(server, view);
  const { value, problem, hint } = answer;
  if (problem !== null) return <EmptyState title={problem}>{hint}</EmptyState>;
  if (value === null) return null;
  const { tokens } = value;
  if (tokens === null) {
    return <EmptyState title={TOKEN.none}>{TOKEN.noneMeaning(view.identity)}</EmptyState>;
  }
  return (
    <ListDetail name="token" panes={PANES}>
      <div className="fill h-full scroll">
        <Tokens server={server} tokens={tokens} />
      </div>
      <Experiments server={server} view={view} tokens={tokens} onDone={reload} />
    </ListDetail>
  );
}

/** The tokens of the chosen identity, loaded again when its grant changes; null without one. */
function useTokens(server: ServerView, view: AuthView) {
  const backend = useBackend();
  const [round, setRound] = useState(0);
  const grant = chosenIdentity(view)?.grant;
  const version = grant ? `${grant.signedInAt} ${grant.expiresAt} ${grant.scopesGranted}` : '';
  const answer = useAnswer(
    async () => ({ tokens: await backend.getTokens(server.id, view.identity) }),
    // Another grant has other tokens.
    [backend, server.id, view.identity, version, round],
  );
  return { answer, reload: () => setRound((count) => count + 1) };
}

function Tokens({ server, tokens }: { server: ServerView; tokens: TokensView }) {
  const [kind, setKind] = useState<TokenKind>('access');
  const now = useMinute();
  const there = (['access', 'refresh', 'id'] as const).filter((known) => tokens[known] !== null);
  const shown = there.includes(kind) ? kind : 'access';
  const part = tokens[shown];
  if (part === null) return null;
  return (
    <>
      <Section
        title={TOKEN_KINDS[shown]}
        aside={
          there.length > 1 && (
            <Segmented
              label={TOKEN.kinds}
              segments={there.map((value) => ({ value, label: TOKEN_KINDS[value] }))}
              value={shown}
              onChange={setKind}
            />
          )
        }
      >
        <Value
          key={`${tokens.identity} ${shown} ${part.masked}`}
          server={server}
          identity={tokens.identity}
          kind={shown}
          part={part}
        />
        {shown === 'access' && (
          <p className="regular remark">
            {tokens.issuedAt !== null && TOKEN.issuedAt(momentText(tokens.issuedAt, now))}
            {tokens.expiresAt === null
              ? TOKEN.noEnd
              : TOKEN.valid(untilText(tokens.expiresAt, now))}
          </p>
        )}
        {shown === 'access' && tokens.altered && (
          <Caution className={styles.prose}>{visibleText(tokens.altered)}</Caution>
        )}
      </Section>
      {part.checks.length > 0 && (
        <Section title={TOKEN.judged}>
          <Checks checks={part.checks} label={TOKEN.judgement} />
        </Section>
      )}
      {shown === 'access' && <Scopes tokens={tokens} />}
      <Claims part={part} kind={shown} />
    </>
  );
}

interface ValueProps {
  server: ServerView;
  identity: string;
  kind: TokenKind;
  part: TokenPart;
}

/** The token, masked until the user asks to see it. */
function Value({ server, identity, kind, part }: ValueProps) {
  const backend = useBackend();
  const [revealed, setRevealed] = useState<string | null>(null);
  const reveal = () => {
    backend.revealToken(server.id, identity, kind).then(setRevealed, showError);
  };
  return (
    <div className="flex items-start gap-5">
      <code className={tokenStyles.tokenText}>{revealed ?? part.masked}</code>
      {revealed === null ? (
        <Button onPress={reveal}>{TOKEN.reveal}</Button>
      ) : (
        <span className={styles.buttons}>
          <Button
            onPress={() => {
              copyText(revealed).then(() => showNote(TOKEN.copied), showError);
            }}
          >
            {TOKEN.copy}
          </Button>
          <Button onPress={() => setRevealed(null)}>{TOKEN.hide}</Button>
        </span>
      )}
    </div>
  );
}

function Scopes({ tokens }: { tokens: TokensView }) {
  const scopes = compareScopes(tokens.scopesRequested, tokens.scopesGranted);
  return (
    <Section title={TOKEN.scopes}>
      {scopes.length === 0 ? (
        <p className="regular remark">{TOKEN.noScopes}</p>
      ) : (
        <table className={messagesStyles.scopeTable} aria-label={TOKEN.scopes}>
          <TableHead titles={[TOKEN.scope, TOKEN.requested, TOKEN.granted]} />
          <tbody>
            {scopes.map(({ scope, isRequested, isGranted }) => (
              <tr key={scope}>
                <th scope="row">{visibleText(scope)}</th>
                <td>{isRequested ? TOKEN.yes : TOKEN.no}</td>
                <td className={isGranted ? 'ok' : 'bad'}>
                  {isGranted ? TOKEN.yes : TOKEN.refused}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

function Claims({ part, kind }: { part: TokenPart; kind: TokenKind }) {
  if (part.header === null && part.claims === null) {
    return (
      <Section title={TOKEN.contents}>
        <p className={styles.prose}>{kind === 'refresh' ? TOKEN.opaqueRefresh : TOKEN.opaque}</p>
      </Section>
    );
  }
  return (
    <>
      {part.claims !== null && (
        <Section title={TOKEN.claims}>
          <JsonView text={part.claims} label={TOKEN.claims} />
        </Section>
      )}
      {part.header !== null && (
        <Section title={TOKEN.header}>
          <JsonView text={part.header} label={TOKEN.header} />
        </Section>
      )}
    </>
  );
}
