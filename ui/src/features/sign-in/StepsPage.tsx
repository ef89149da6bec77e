import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { AuthView, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { ListDetail } from '@/components/list-detail/ListDetail';
import { Menu } from '@/components/Menu';
import { Switch } from '@/components/Switch';
import { copyText } from '@/lib/clipboard';
import { showError, showNote } from '@/state/notices';
import { STEPS } from '@/state/sign-in/auth';
import styles from './auth.module.css';
import { StepDetail } from './StepDetail';
import { StepList } from './StepList';
import { type ChosenStep, momentOf, stepToShow, TO_COME } from './steps';
import { EXPORTS, STEPS_PAGE } from './texts';
import { usePauses } from './use-pauses';

const PANES = [
  { id: 'steps', size: 330, min: 220, keepsPixels: true },
  { id: 'step', min: 320 },
] as const;

/** The sign-in, step by step: the one that runs, the last one, or what one would be. */
export function StepsPage({ server, view }: { server: ServerView; view: AuthView }) {
  const { attempt } = view;
  const [chosen, setChosen] = useState<ChosenStep>();
  const shown = stepToShow(attempt, chosen);
  const steps = attempt?.steps ?? TO_COME;
  const step = steps.find((known) => known.step === shown);
  return (
    <ListDetail name="sign-in" panes={PANES}>
      <div className={styles.pane}>
        <div className={styles.bar}>
          <Pauses server={server} />
          <span className="push">
            <Export server={server} isThere={attempt !== null} />
          </span>
        </div>
        <StepList
          server={server}
          steps={steps}
          shown={shown}
          onShow={(next) => setChosen({ moment: momentOf(attempt), step: next })}
        />
      </div>
      {step && (
        <StepDetail
          key={`${attempt?.id} ${step.step}`}
          server={server}
          attempt={attempt}
          step={step}
        />
      )}
    </ListDetail>
  );
}

function Pauses({ server }: { server: ServerView }) {
  const [pauses, setPauses] = usePauses(server);
  return (
    <Switch
      isSelected={pauses.length === STEPS.length}
      onChange={(isOn) => setPauses(isOn ? STEPS : [])}
    >
      {STEPS_PAGE.pauseEach}
    </Switch>
  );
}

/** The whole sequence, redacted, for somewhere else. */
function Export({ server, isThere }: { server: ServerView; isThere: boolean }) {
  const backend = useBackend();
  return (
    <Menu
      label={STEPS_PAGE.copyAll}
      trigger={
        <Button variant="quiet" isDisabled={!isThere}>
          {STEPS_PAGE.copy} <ChevronDown size={12} aria-hidden="true" />
        </Button>
      }
      groups={[
        EXPORTS.map(({ id, title, note }) => ({
          id,
          title,
          run: () => {
            copyText(backend.exportSignIn(server.id, id)).then(() => showNote(note), showError);
          },
        })),
      ]}
    />
  );
}
