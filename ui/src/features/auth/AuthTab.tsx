import type { AuthView, ServerView } from '@/backend/bindings';
import { EmptyState } from '@/components/empty-state';
import { Segmented } from '@/components/segmented';
import { type AuthPage, useAuth, useAuthView } from '@/state/auth';
import { AccountBar } from './AccountBar';
import { AccountPage } from './AccountPage';
import styles from './auth.module.css';
import { ClientPage } from './ClientPage';
import { StepsPage } from './StepsPage';
import { TokenPage } from './TokenPage';

/** Who a person is to this server, how they became that, and what the server knows them by. */
export default function AuthTab({ server }: { server: ServerView }) {
  const view = useAuthView(server.id);
  if (!view) {
    return (
      <EmptyState title="Nothing to sign in to">
        <p>
          This server is a program on this computer, so there is no sign-in. What it needs to reach
          other services comes from its environment.
        </p>
      </EmptyState>
    );
  }
  return <Auth server={server} view={view} />;
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
