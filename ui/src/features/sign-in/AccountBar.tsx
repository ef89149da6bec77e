import { ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { AuthView, ServerView } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { Glyph } from '@/components/Glyph';
import { Kbd } from '@/components/Kbd';
import { Menu } from '@/components/Menu';
import { visibleText } from '@/lib/visible-text';
import { runAction } from '@/state/actions';
import { openPlace } from '@/state/navigation';
import { isSignInUnderWay, useAuth } from '@/state/sign-in/auth';
import { ACTIONS } from './account-texts';
import styles from './auth.module.css';
import { signInStatus } from './sign-in-status';

interface Props {
  server: ServerView;
  view: AuthView;
  /** Stands at the left. */
  children: ReactNode;
}

/** The account with this server, its end, and the one action that suits it. */
export function AccountBar({ server, view, children }: Props) {
  const now = useMinute();
  const { glyph, tone, label, detail } = signInStatus(view, now);
  return (
    <header className={styles.account}>
      {children}
      <span className={styles.status}>
        <Glyph glyph={glyph} tone={tone} />
        <span role="status" className="min-w-0 truncate medium">
          {visibleText(label)}
          {detail && <span className="regular remark"> {visibleText(detail)}</span>}
        </span>
      </span>
      <span className={styles.buttons}>
        <AccountButtons server={server} view={view} />
      </span>
    </header>
  );
}

function AccountButtons({ server, view }: Omit<Props, 'children'>) {
  const { attempt, status, mode } = view;
  // The page of the client has a button of its own that comes first.
  const isBesideSave = useAuth((state) => state.pages[server.id] === 'client');
  if (isSignInUnderWay(attempt)) {
    return (
      <>
        {attempt.state === 'paused' && (
          <>
            <Button onPress={() => runAction('auth.run')} aria-label={ACTIONS.runRest}>
              {ACTIONS.runRest} <Kbd shortcut="f8" />
            </Button>
            <Button
              variant="primary"
              onPress={() => runAction('auth.continue')}
              aria-label={ACTIONS.continue}
            >
              {ACTIONS.continue} <Kbd shortcut="f10" />
            </Button>
          </>
        )}
        <Button onPress={() => runAction('auth.cancel')}>{ACTIONS.cancel}</Button>
      </>
    );
  }
  if (mode === 'off' || mode === 'bearer') return null;
  const isIn = status.type === 'signedIn';
  const isRefused = server.blocked?.type === 'refused';
  if (isRefused && !isIn) return null;
  return (
    <>
      {isIn ? (
        <Button onPress={() => runAction('auth.sign-out')}>{ACTIONS.signOut}</Button>
      ) : (
        <Button
          variant={isBesideSave ? 'plain' : 'primary'}
          onPress={() => {
            runAction('auth.sign-in');
            // The button goes with what it does.
            openPlace({ server: server.id, section: 'sign-in' });
          }}
        >
          {ACTIONS.signIn}
        </Button>
      )}
      {!isRefused && <OtherWays isIn={isIn} />}
    </>
  );
}

/** Each is in the palette too. */
function OtherWays({ isIn }: { isIn: boolean }) {
  return (
    <Menu
      label={ACTIONS.otherWays}
      trigger={
        <IconButton label={ACTIONS.otherWays} variant="plain">
          <ChevronDown size={14} aria-hidden="true" />
        </IconButton>
      }
      groups={[
        [
          ...(isIn
            ? [{ id: 'again', title: ACTIONS.again, run: () => runAction('auth.sign-in') }]
            : []),
          { id: 'steps', title: ACTIONS.stepByStep, run: () => runAction('auth.steps') },
          {
            id: 'manual',
            title: ACTIONS.manual,
            run: () => runAction('auth.manual'),
          },
        ],
      ]}
    />
  );
}

/** The time, moving often enough for what is told in minutes. */
export function useMinute(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 15_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
