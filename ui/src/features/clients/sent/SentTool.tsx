import { useBackend } from '@/backend/backend';
import type { Provider, SentToolDetail, ServerId } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { SplitPane } from '@/components/SplitPane';
import { visibleText } from '@/lib/visible-text';
import styles from '../clients.module.css';
import type { ClientScope } from '../scope';
import { SENT } from '../texts';
import { useAnswer } from '../use-answer';
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
  const { value, problem } = useAnswer(
    () => backend.getSentTool(server, tool, provider, client.scheme),
    [backend, server, tool, provider, client.scheme, revision],
  );
  if (problem !== null) return <EmptyState title={visibleText(problem)} />;
  return value && <Detail detail={value} />;
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
