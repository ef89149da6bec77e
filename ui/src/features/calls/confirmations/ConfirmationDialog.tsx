import { type ReactNode, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { CallConfirmation, ConfirmationAnswer, ConfirmationReason } from '@/backend/bindings';
import { Checkbox } from '@/components/Checkbox';
import { CodeText } from '@/components/CodeText';
import { Confirmed } from '@/components/Confirmed';
import { Dialog } from '@/components/Dialog';
import { Facts } from '@/components/Section';
import { indentedJson } from '@/lib/json/indented';
import { entirelyVisible } from '@/lib/visible-text';
import { showError } from '@/state/notices';
import { useServer } from '@/state/servers/servers';
import { useSnapshot } from '@/state/snapshot';
import styles from './confirmations.module.css';
import { CONFIRMATION } from './texts';

/** The oldest call that waits for the user's confirmation. */
export default function ConfirmationDialog() {
  const oldest = useSnapshot((state) => state.confirmations[0]);
  const others = useSnapshot((state) => state.confirmations.length - 1);
  // Built anew for each, so that no answer is given to another call than the one that was read.
  return oldest ? <Confirmation key={oldest.id} call={oldest} others={others} /> : null;
}

interface ConfirmationProps {
  call: CallConfirmation;
  /** Number of other calls that wait. */
  others: number;
}

function Confirmation({ call, others }: ConfirmationProps) {
  const backend = useBackend();
  const server = useServer(call.server);
  const [forSession, setForSession] = useState(false);
  const answer = (answer: ConfirmationAnswer) =>
    void backend.answerConfirmation(call.id, answer).catch(showError);
  const rules = call.reasons.filter((reason) => reason.type === 'rule');
  return (
    <Dialog
      title={
        call.tool === '' ? CONFIRMATION.untitled : CONFIRMATION.title(entirelyVisible(call.tool))
      }
      isOpen
      onClose={() => answer('refuse')}
      closeLabel={CONFIRMATION.refuse}
      action={{
        label: CONFIRMATION.call,
        isDangerous: true,
        run: () => answer(forSession ? 'callForSession' : 'call'),
      }}
    >
      <div className="stack gap-6">
        {call.reasons.map((reason) => (
          <p key={reason.type}>
            <CodeText text={textOf(reason)} />
          </p>
        ))}
        <Facts
          facts={[
            [CONFIRMATION.server, entirelyVisible(server?.name ?? call.server)],
            [CONFIRMATION.identity, call.identity && entirelyVisible(call.identity)],
            [CONFIRMATION.calls, call.count > 1 ? CONFIRMATION.times(call.count) : null],
            ...rules.flatMap(factsOf),
          ]}
        />
        <section className="stack gap-2" aria-label={CONFIRMATION.arguments}>
          <h3>{CONFIRMATION.arguments}</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable. */}
          <pre className={styles.text} tabIndex={0}>
            <Confirmed text={indentedJson(call.arguments)} isLines />
          </pre>
        </section>
        {call.reasons.every(({ type }) => type !== 'ambiguous') && (
          <Checkbox isSelected={forSession} onChange={setForSession}>
            {CONFIRMATION.forSession}
          </Checkbox>
        )}
        {others > 0 && <p className="remark">{CONFIRMATION.more(others)}</p>}
      </div>
    </Dialog>
  );
}

function textOf(reason: ConfirmationReason): string {
  switch (reason.type) {
    case 'destructive':
      return CONFIRMATION.destructive;
    case 'ambiguous':
      return CONFIRMATION.ambiguous;
    case 'rule':
      return reason.rule
        ? CONFIRMATION.ruleAsks(reason.clientTitle)
        : CONFIRMATION.noneAllows(reason.clientTitle);
  }
}

type Fact = readonly [name: string, value: ReactNode];

function factsOf({ rule }: Extract<ConfirmationReason, { type: 'rule' }>): readonly Fact[] {
  if (!rule) return [];
  const place = CONFIRMATION.line(rule.place.file, rule.place.line);
  return [
    [CONFIRMATION.rule, <code key="rule">{entirelyVisible(rule.text)}</code>],
    [CONFIRMATION.file, <code key="place">{entirelyVisible(place)}</code>],
  ];
}
