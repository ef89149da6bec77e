import type { AuthView, ServerView } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { Segmented } from '@/components/Segmented';
import { type AuthPage, useAuth, useAuthView } from '@/state/auth';
import { AccountBar } from './AccountBar';
import { AccountPage } from './AccountPage';
import styles from './auth.module.css';
import { ClientPage } from './ClientPage';
import { StepsPage } from './StepsPage';
import { TokenPage } from './TokenPage';

/** The account with this server, the steps that led to it, and the client that the server knows. */
export default function AuthTab({ server }: { server: ServerView }) {
  const view = useAuthView(server.id);
  return view ? <Auth server={server} view={view} /> : <NoSignIn server={server} />;
}

/** Explains why there is no sign-in, or none yet. */
function NoSignIn({ server }: { server: ServerView }) {
  if (server.blocked?.kind === 'waiting') {
    return (
      <EmptyState title="Not approved yet">
        <p>
          Nothing is sent to this server before you approve it. See what it does under Overview,
          approve it, and sign in here.
        </p>
      </EmptyState>
    );
  }
  if (server.blocked?.kind === 'refused') {
    return (
      <EmptyState title="Refused by this computer">
        <p>A rule of this computer refuses this server, so there is no sign-in.</p>
      </EmptyState>
    );
  }
  if (server.scope !== null && server.transport !== 'stdio' && server.problems.length > 0) {
    return (
      <EmptyState title="The entry cannot be used">
        <p>Correct it under Config. Then you can sign in here.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Nothing to sign in to">
      <p>
        This server is a program on this computer, so there is no sign-in. What it needs to reach
        other services comes from its environment.
      </p>
    </EmptyState>
  );
}

const PAGES: readonly { value: AuthPage; label: string }[] = [
  { value: 'account', label: 'Account' },
  { value: 'steps', label: 'Steps' },
  { value: 'token', label: 'Token' },
  { value: 'client', label: 'Client' },
];

function Auth({ server, view }: { server: ServerView; view: AuthView }) {
  const page = useAuth((state) => state.pages[server.id] ?? 'account');
  const selectPage = useAuth((state) => state.selectPage);
  return (
    <div className={styles.auth}>
      <AccountBar view={view}>
        <Segmented
          label="Show"
          segments={PAGES}
          value={page}
          onChange={(next) => selectPage(server.id, next)}
        />
      </AccountBar>
      <div className={styles.page}>
        {page === 'account' && <AccountPage server={server} view={view} />}
        {page === 'steps' && <StepsPage server={server} view={view} />}
        {page === 'token' && <TokenPage server={server} view={view} />}
        {page === 'client' && <ClientPage server={server} view={view} />}
      </div>
    </div>
  );
}
