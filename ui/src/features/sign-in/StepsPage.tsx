import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { GridList, GridListItem } from 'react-aria-components';
import { useBackend } from '@/backend/backend';
import type { AuthView, ServerView, StepKind, StepView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { classes } from '@/components/classes';
import { Glyph } from '@/components/Glyph';
import { moveByLetters } from '@/components/letter-keys';
import { ListDetail } from '@/components/list-detail/ListDetail';
import { Menu } from '@/components/Menu';
import { oneSelected } from '@/components/one-selected';
import { Switch } from '@/components/Switch';
import { ToggleButton } from '@/components/ToggleButton';
import { useElapsed } from '@/components/use-elapsed';
import { copyText } from '@/lib/clipboard';
import { formatDuration } from '@/lib/format';
import { showError, showNote } from '@/state/notices';
import { STEPS } from '@/state/sign-in/auth';
import { STEP_TITLES } from './account-texts';
import styles from './auth.module.css';
import { StepDetail } from './StepDetail';
import { type ChosenStep, momentOf, stepToShow, TO_COME } from './steps';
import stepsStyles from './steps.module.css';
import { EXPORTS, STEP_LABELS, STEP_PURPOSES, STEPS_PAGE } from './texts';
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

interface Props {
  server: ServerView;
  steps: readonly StepView[];
  shown: StepKind;
  onShow(step: StepKind): void;
}

/** The steps below each other, with a place before each to have the sign-in pause there. */
function StepList({ server, steps, shown, onShow }: Props) {
  return (
    <div className={stepsStyles.steps} onKeyDownCapture={moveByLetters}>
      <GridList aria-label={STEPS_PAGE.list} {...oneSelected(shown, onShow)}>
        {steps.map((step) => (
          <GridListItem
            key={step.step}
            id={step.step}
            textValue={STEP_TITLES[step.step]}
            className={stepsStyles.step}
          >
            <Pause server={server} step={step.step} />
            <StepRow step={step} />
          </GridListItem>
        ))}
      </GridList>
    </div>
  );
}

function StepRow({ step }: { step: StepView }) {
  const { glyph, tone, label } = STEP_LABELS[step.state];
  const elapsed = useElapsed(step.started, step.state === 'running');
  const took = step.state === 'running' ? elapsed : step.duration;
  const about = step.summary ?? (step.state === 'pending' ? STEP_PURPOSES[step.step] : null);
  return (
    <span className={stepsStyles.stepText} data-state={step.state}>
      <Glyph glyph={glyph} tone={tone} />
      <span className={stepsStyles.stepTitle}>{STEP_TITLES[step.step]}</span>
      <span className="code remark">{took === null ? '' : formatDuration(took)}</span>
      <span className={stepsStyles.stepSummary}>
        <span className={classes('medium', tone)}>{label}</span>
        {about !== null && ` · ${about}`}
      </span>
    </span>
  );
}

/** Has the sign-in pause before a step, as a breakpoint does. */
function Pause({ server, step }: { server: ServerView; step: StepKind }) {
  const [pauses, setPauses] = usePauses(server);
  return (
    <ToggleButton
      aria-label={STEPS_PAGE.pauseBefore(STEP_TITLES[step])}
      isSelected={pauses.includes(step)}
      onChange={(isOn) =>
        setPauses(isOn ? [...pauses, step] : pauses.filter((known) => known !== step))
      }
      className={stepsStyles.pause}
    >
      <span aria-hidden="true">◆</span>
    </ToggleButton>
  );
}
