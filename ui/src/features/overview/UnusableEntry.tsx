import { runAction } from '@/app/actions';
import type { ServerView } from '@/backend/bindings';
import { Button } from '@/components/button';
import { ProblemList } from '@/components/problem-list';
import { Section } from '@/components/section';

/** What keeps an entry from being used. */
export function UnusableEntry({ server }: { server: ServerView }) {
  return (
    <Section
      title="This entry cannot be used"
      aside={
        <Button variant="primary" onPress={() => runAction('server.edit')}>
          Edit
        </Button>
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
