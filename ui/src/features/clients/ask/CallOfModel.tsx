import type { ModelCall } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Problem } from '@/components/Problem';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { useNavigation } from '@/state/navigation';
import styles from '../model.module.css';
import { ASK } from '../texts';

/** A call that a model would make; it is made by the tool's own form. */
export function CallOfModel({ call }: { call: ModelCall }) {
  const { server, tool, sentName: name, arguments: input, problem } = call;
  const open = useNavigation((state) => state.open);
  return (
    <article
      className="stack gap-3 pad-x-4 pad-y-4 frame"
      aria-label={ASK.callOf(visibleText(name))}
    >
      <header className="row wrap gap-4">
        <code>{visibleText(name)}</code>
        {server !== null && tool !== null && (
          <Button
            onPress={() =>
              open({
                server,
                tab: 'tools',
                list: 'tools',
                item: tool,
                arguments: input,
                from: ASK.from,
              })
            }
          >
            {ASK.openCall}
          </Button>
        )}
      </header>
      <pre className={styles.sentArguments}>{visibleLines(input)}</pre>
      <Problem text={problem} />
    </article>
  );
}
