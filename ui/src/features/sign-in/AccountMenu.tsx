import { ChevronDown } from 'lucide-react';
import type { ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Glyph } from '@/components/Glyph';
import { Menu, type MenuEntry } from '@/components/Menu';
import { visibleText } from '@/lib/visible-text';
import { type ActionId, ACTIONS as ALL_ACTIONS, runAction, useHandlers } from '@/state/actions';
import { useNavigation } from '@/state/navigation';
import { useAuthView } from '@/state/sign-in/auth';
import { useMinute } from './AccountBar';
import styles from './auth.module.css';
import { signInStatus } from './sign-in-status';
import { ACCOUNT_MENU } from './texts';

const WAYS: readonly ActionId[] = [
  'auth.sign-in',
  'auth.steps',
  'auth.manual',
  'auth.cancel',
  'auth.sign-out',
];

/** The account with the selected server, in its header; nothing where there is none to have. */
export function AccountMenu({ server }: { server: ServerView }) {
  const view = useAuthView(server.id);
  const handlers = useHandlers((state) => state.handlers);
  const now = useMinute();
  if (!view || view.mode === 'off') return null;
  const { glyph, tone, label } = signInStatus(view, now);
  const ways = WAYS.filter((id) => (handlers[id]?.length ?? 0) > 0).map(
    (id): MenuEntry => ({
      id,
      title: ALL_ACTIONS.find((action) => action.id === id)?.title ?? id,
      run: () => setTimeout(() => runAction(id)),
    }),
  );
  const show = () => useNavigation.getState().open({ server: server.id, section: 'sign-in' });
  return (
    <Menu
      label={ACCOUNT_MENU.label}
      trigger={
        <Button variant="quiet" className={styles.accountButton}>
          <Glyph glyph={glyph} tone={tone} />
          <span className="min-w-0 truncate">{visibleText(label)}</span>
          <ChevronDown size={12} aria-hidden="true" />
        </Button>
      }
      groups={[ways, [{ id: 'show', title: ACCOUNT_MENU.show, run: () => setTimeout(show) }]]}
    />
  );
}
