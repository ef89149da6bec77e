import { ChevronDown } from 'lucide-react';
import { useBackend } from '@/backend/backend';
import type { AuthView, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Glyph } from '@/components/Glyph';
import { Menu, type MenuEntry } from '@/components/Menu';
import { visibleText } from '@/lib/visible-text';
import { type ActionId, ACTIONS as ALL_ACTIONS, runAction, useHandlers } from '@/state/actions';
import { openPlace } from '@/state/navigation';
import { showError } from '@/state/notices';
import { useAuthView } from '@/state/sign-in/auth';
import { useMinute } from './AccountBar';
import { ACCOUNT_MENU } from './account-texts';
import styles from './auth.module.css';
import { signInStatus } from './sign-in-status';

const WAYS: readonly ActionId[] = [
  'auth.sign-in',
  'auth.steps',
  'auth.manual',
  'auth.cancel',
  'auth.sign-out',
];

/** The account with the selected server, in its header; nothing where there is none to have. */
export function AccountMenu({ server }: { server: ServerView }) {
  const backend = useBackend();
  const view = useAuthView(server.id);
  const handlers = useHandlers((state) => state.handlers);
  const now = useMinute();
  const wantsKey = server.status.failure?.hint.action.type === 'setHeader';
  if (!view || !hasAccount(view) || wantsKey) return null;
  const { glyph, tone, label } = signInStatus(view, now);
  const ways = WAYS.filter((id) => (handlers[id]?.length ?? 0) > 0).map(
    (id): MenuEntry => ({
      id,
      title: ALL_ACTIONS.find((action) => action.id === id)?.title ?? id,
      run: () => setTimeout(() => runAction(id)),
    }),
  );
  const [, ...others] = view.identities;
  const users = others.length === 0 ? [] : view.identities;
  const identities = users.map(
    ({ name, grant }): MenuEntry => ({
      id: `identity ${name}`,
      title: ACCOUNT_MENU.identity(name, grant?.account ?? null, name === view.identity),
      isDisabled: name === view.identity,
      run: () => void backend.chooseIdentity(server.id, name).catch(showError),
    }),
  );
  const show = () => openPlace({ server: server.id, section: 'sign-in' });
  return (
    <Menu
      label={ACCOUNT_MENU.label}
      trigger={
        <Button variant="quiet" className={styles.accountButton}>
          <Glyph glyph={glyph} tone={tone} />
          <span className="min-w-0 truncate" data-wide>
            {visibleText(label)}
          </span>
          <span data-narrow>{ACCOUNT_MENU.label}</span>
          <ChevronDown size={12} aria-hidden="true" />
        </Button>
      }
      groups={[
        ...(identities.length > 0 ? [identities] : []),
        ways,
        [{ id: 'show', title: ACCOUNT_MENU.show, run: () => setTimeout(show) }],
      ]}
    />
  );
}

/** Tells whether there is an account, or whether the server or the user wants one. */
function hasAccount({ mode, status, attempt, identities }: AuthView): boolean {
  if (mode === 'off') return false;
  const isNew = status.type === 'signedOut' && attempt === null;
  const isUsed = identities.length > 1 || identities.some(({ grant }) => grant !== null);
  return !isNew || mode === 'bearer' || isUsed;
}
