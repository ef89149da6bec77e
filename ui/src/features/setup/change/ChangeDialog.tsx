import { type ReactNode, useRef, useState } from 'react';
import type {
  ConfigAction,
  ConflictView,
  LaunchView,
  PlannedFileView,
  PlanView,
} from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Caution } from '@/components/Caution';
import { Checkbox } from '@/components/Checkbox';
import { Confirmed } from '@/components/Confirmed';
import { classes } from '@/components/classes';
import { Dialog } from '@/components/Dialog';
import { Segmented } from '@/components/Segmented';
import { entirelyVisible } from '@/lib/visible-text';
import { useClose } from '@/state/dialogs';
import styles from './change.module.css';
import { DiffView } from './DiffView';
import { PlanBody } from './PlanBody';
import { leavesProject } from './plan';
import { CHANGE, CONFLICT } from './texts';
import { useApply } from './use-apply';
import { usePlan } from './use-plan';

interface ChangeDialogProps {
  title: string;
  /** The title of the button that does it: "Move". */
  verb: string;
  isDangerous?: boolean;
  /** The action; null while the fields are not filled in. */
  action: ConfigAction | null;
  /** Secrets that are kept for the entries of the action, by the names in their references. */
  secrets?: Readonly<Record<string, string>> | undefined;
  /** True where somebody else filled in the fields at first, so that no key is for what they do. */
  isGiven?: boolean;
  placeholder?: string;
  /** The fields, above the difference. */
  children?: ReactNode;
  /** Puts the difference beside the fields, where there is room. */
  isBeside?: boolean;
  /** True where the user typed the fields: in a low window the difference scrolls with them then. */
  isTyped?: boolean;
  onApplied?: (plan: PlanView) => void;
  /** The main button then: it writes as well, and does what follows. */
  next?: { verb: string; onApplied: (plan: PlanView) => void };
  /**
   * Something else to do with the fields, which writes nothing. It is offered while what it does is
   * shown, whatever becomes of the plan.
   */
  instead?: { verb: string; isDisabled: boolean; launch: LaunchView | null; run: () => void };
}

/**
 * Any change of configuration files: its fields, the exact difference, and the button that
 * writes it, once the difference is there. When a file changed meanwhile it shows both texts and lets the user choose.
 */
export function ChangeDialog(props: ChangeDialogProps) {
  const { title, verb, isDangerous = false, action, isGiven, placeholder, children } = props;
  const { isBeside, next, instead } = props;
  const close = useClose();
  const [round, setRound] = useState(0);
  const { plan, problem, isCurrent, changes } = usePlan(action, { round, isGiven });
  const goesOn = useRef(false);
  const { apply, overwrite, isApplying, conflict, forget } = useApply((applied) => {
    close();
    (goesOn.current ? next?.onApplied : props.onApplied)?.(applied);
  }, props.secrets);
  /** The plan that is shown and would be written, if it changes something. */
  const shown = isCurrent && plan?.files.some(changesSomething) ? plan : null;

  // The consent is to this plan alone: another one may write elsewhere.
  const [consent, setConsent] = useState<PlanView | null>(null);
  const isAsked = shown !== null && leavesProject(shown);
  const isReady = shown !== null && !isApplying && (!isAsked || consent === shown);
  const write = (andGoOn: boolean) => {
    goesOn.current = andGoOn;
    if (shown) void apply(shown);
  };

  return (
    <Dialog
      title={entirelyVisible(title)}
      isOpen
      width={isBeside ? 'full' : 'wide'}
      isCareful={isDangerous && !conflict}
      asksToDiscard
      changes={changes}
      onClose={close}
      footer={
        conflict ? (
          <>
            <Button onPress={close}>{CHANGE.keepDisk}</Button>
            <Button variant="danger" isDisabled={isApplying} onPress={() => void overwrite()}>
              {CHANGE.writeMine}
            </Button>
            <Button
              variant="primary"
              onPress={() => {
                forget();
                setRound(round + 1);
              }}
            >
              {CHANGE.applyToDisk}
            </Button>
          </>
        ) : (
          <>
            {isAsked && (
              <span className={styles.consent}>
                <Checkbox
                  isSelected={consent === shown}
                  onChange={(isSelected) => setConsent(isSelected ? shown : null)}
                >
                  {CHANGE.outside}
                </Checkbox>
              </span>
            )}
            {instead && (
              <span className={styles.consent}>
                <Button
                  isDisabled={instead.isDisabled || instead.launch === null || isApplying}
                  onPress={instead.run}
                >
                  {instead.verb}
                </Button>
              </span>
            )}
            <Button onPress={close}>{CHANGE.cancel}</Button>
            <Button
              variant={isDangerous ? 'danger' : next ? 'plain' : 'primary'}
              isDisabled={!isReady}
              onPress={() => write(false)}
            >
              {verb}
            </Button>
            {next && (
              <Button variant="primary" isDisabled={!isReady} onPress={() => write(true)}>
                {next.verb}
              </Button>
            )}
          </>
        )
      }
    >
      {conflict ? (
        <ConflictPane files={conflict} />
      ) : (
        <div
          className={classes(
            'stack gap-7 min-w-0',
            isBeside && styles.beside,
            props.isTyped && styles.typed,
          )}
        >
          {isBeside ? <div className="stack gap-7 min-w-0">{children}</div> : children}
          <PlanBody plan={plan} problem={problem} placeholder={placeholder} instead={instead} />
        </div>
      )}
    </Dialog>
  );
}

function changesSomething({ diff }: PlannedFileView): boolean {
  return diff.some(({ kind }) => kind !== 'kept');
}

type Side = 'difference' | 'theirs' | 'mine';

/** A file that changed meanwhile: both texts, and their differences. */
function ConflictPane({ files }: { files: readonly ConflictView[] }) {
  const [side, setSide] = useState<Side>('difference');
  return (
    <div className="stack gap-7 min-w-0">
      <Caution role="alert">{CONFLICT.meanwhile(files.length)}</Caution>
      <div>
        <Segmented
          label={CONFLICT.text}
          value={side}
          onChange={setSide}
          segments={[
            { value: 'difference', label: CONFLICT.difference },
            { value: 'theirs', label: CONFLICT.theirs },
            { value: 'mine', label: CONFLICT.mine },
          ]}
        />
      </div>
      {files.map((file) => (
        <div key={file.path} className="stack gap-3 min-w-0">
          <h3 className="row-baseline gap-3 break-anywhere medium">
            <Confirmed text={file.path} />
          </h3>
          {side === 'difference' ? (
            <DiffView diff={file.diff} label={CONFLICT.diffOf(entirelyVisible(file.path))} />
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable.
            <pre className={styles.text} tabIndex={0}>
              <Confirmed text={side === 'theirs' ? file.now : file.mine} isLines />
            </pre>
          )}
        </div>
      ))}
    </div>
  );
}
