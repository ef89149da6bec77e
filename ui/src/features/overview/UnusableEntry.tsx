import type { ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Section } from '@/components/Section';
import { runAction } from '@/state/actions';
import { editConfig } from '@/state/config-view';
import { targetOf } from '@/state/configuration';
import { ProblemList } from '@/widgets/ProblemList';

/** The problems that keep an entry from being used. */
export function UnusableEntry({ server }: { server: ServerView }) {
  const target = targetOf(server);
  const [first] = server.problems;
  return (
    <Section
      title="This entry cannot be used"
      aside={
        first && target ? (
          <Button
            variant="primary"
            onPress={() => editConfig({ target, name: null, place: first })}
          >
            Open at this line
          </Button>
        ) : (
          <Button variant="primary" onPress={() => runAction('server.edit')}>
            Edit
          </Button>
        )
      }
    >
      <ProblemList problems={server.problems} />
      {server.path && (
        <p>
          <code>{server.path}</code>
        </p>
      )}
    </Section>
  );
}
