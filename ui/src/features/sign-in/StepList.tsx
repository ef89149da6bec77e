import { GridList, GridListItem } from 'react-aria-components';
import type { ServerView, StepKind, StepView } from '@/backend/bindings';
import { ToggleButton } from '@/components/Button';
import { classes } from '@/components/classes';
import { Glyph } from '@/components/Glyph';
import { moveByLetters } from '@/components/letter-keys';
import { oneSelected } from '@/components/one-selected';
import { useElapsed } from '@/components/use-elapsed';
import { formatDuration } from '@/lib/format';
import { STEP_TITLES } from './account-texts';
import stepsStyles from './steps.module.css';
import { STEP_LABELS, STEP_PURPOSES, STEPS_PAGE } from './texts';
import { usePauses } from './use-pauses';

interface Props {
  server: ServerView;
  steps: readonly StepView[];
  shown: StepKind;
  onShow(step: StepKind): void;
}

/** The steps below each other, with a place before each to have the sign-in pause there. */
export function StepList({ server, steps, shown, onShow }: Props) {
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
