import { useBackend } from '@/backend/backend';
import type { Provider, SentToolDetail, ServerId } from '@/backend/bindings';
import { SplitPane } from '@/components/SplitPane';
import { useAnswer } from '@/widgets/use-answer';
import { Answered } from '../Answered';
import styles from '../clients.module.css';
import type { ClientScope } from '../scope';
import { SENT } from '../texts';
import { ChangeList } from './ChangeList';
import { SideBySide } from './SideBySide';

const PANES = [
  { id: 'changes', size: '34%', min: 60 },
  { id: 'texts', min: 100 },
] as const;

interface SentToolProps {
  scope: ClientScope;
  server: ServerId;
  tool: string;
  provider: Provider;
}

/** One tool: what is changed in it, and its two texts beside each other. */
export function SentTool({ scope, server, tool, provider }: SentToolProps) {
  const backend = useBackend();
  const { client, revision } = scope;
  const answer = useAnswer(
    () => backend.getSentTool(server, tool, provider, client.scheme),
    [backend, server, tool, provider, client.scheme, revision],
  );
  return (
    <Answered answer={answer} asking={null}>
      {(detail) => <Detail detail={detail} />}
    </Answered>
  );
}

function Detail({ detail }: { detail: SentToolDetail }) {
  const { changes, hasMoreChanges } = detail;
  return (
    <SplitPane name="model-sent-tool" direction="column" panes={PANES}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className={styles.changes} aria-label={SENT.changes} tabIndex={0}>
        {changes.length === 0 && <p className="remark">{SENT.noChanges}</p>}
        <ChangeList changes={changes} />
        {hasMoreChanges && <p className="remark">{SENT.moreChanges}</p>}
      </section>
      <SideBySide detail={detail} />
    </SplitPane>
  );
}
