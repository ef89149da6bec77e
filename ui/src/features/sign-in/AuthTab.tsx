import type { AuthView, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Segmented } from '@/components/Segmented';
import { visibleText } from '@/lib/visible-text';
import { openPlace } from '@/state/navigation';
import { type AuthPage, useAuth, useAuthView } from '@/state/sign-in/auth';
import { AccountBar } from './AccountBar';
import { AccountPage } from './AccountPage';
import styles from './auth.module.css';
import { ClientPage } from './ClientPage';
import { StepsPage } from './StepsPage';
import { TokenPage } from './TokenPage';
import { TAB } from './texts';

/** The account with this server, the steps that led to it, and the client that the server knows. */
export default function AuthTab({ server }: { server: ServerView }) {
  const view = useAuthView(server.id);
  return view ? <Auth server={server} view={view} /> : <NoSignIn server={server} />;
}

/** Explains why there is no sign-in, or none yet. */
function NoSignIn({ server }: { server: ServerView }) {
  if (server.blocked?.type === 'waiting') {
    return <EmptyState title={TAB.notApproved}>{TAB.notApprovedMeaning}</EmptyState>;
  }
  if (server.blocked?.type === 'refused') {
    return <EmptyState title={TAB.refused}>{TAB.refusedMeaning}</EmptyState>;
  }
  if (server.transport !== 'stdio' && server.problems.length > 0) {
    return <EmptyState title={TAB.invalid}>{TAB.invalidMeaning}</EmptyState>;
  }
  if (server.transport !== 'stdio') return server.obstacle && <NoAddress server={server} />;
  return <EmptyState title={TAB.nothing}>{TAB.nothingMeaning}</EmptyState>;
}

/** A server that is reached over the network, once what is missing of its entry is there. */
function NoAddress({ server: { id, obstacle } }: { server: ServerView }) {
  return (
    <EmptyState title={visibleText(obstacle?.reason ?? '')}>
      <p>{TAB.noAddressMeaning}</p>
      <Button onPress={() => openPlace({ server: id, tab: 'overview' })}>{TAB.toOverview}</Button>
    </EmptyState>
  );
}

const PAGES: readonly { value: AuthPage; label: string }[] = [
  { value: 'account', label: TAB.account },
  { value: 'steps', label: TAB.steps },
  { value: 'token', label: TAB.token },
  { value: 'client', label: TAB.client },
];

function Auth({ server, view }: { server: ServerView; view: AuthView }) {
  const page = useAuth((state) => state.pages[server.id] ?? 'account');
  const selectPage = useAuth((state) => state.selectPage);
  return (
    <div className={styles.auth}>
      <AccountBar server={server} view={view}>
        <Segmented
          label={TAB.show}
          segments={PAGES}
          value={page}
          onChange={(next) => selectPage(server.id, next)}
        />
      </AccountBar>
      <div className="fill">
        {page === 'account' && <AccountPage server={server} view={view} />}
        {page === 'steps' && <StepsPage server={server} view={view} />}
        {page === 'token' && <TokenPage server={server} view={view} />}
        {page === 'client' && <ClientPage server={server} view={view} />}
      </div>
    </div>
  );
}
