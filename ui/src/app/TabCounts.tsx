import type { ListKind, ServerView } from '@/backend/bindings';
import { formatCount } from '@/lib/format';
import { useList } from '@/state/calls/lists';
import { skillSupport, useSkills } from '@/state/calls/skills';
import { useTaskCount } from '@/state/calls/tasks';
import styles from './app.module.css';

interface CountProps {
  server: ServerView;
}

export function ToolCount({ server }: CountProps) {
  return <ListCount server={server} lists={['tools']} />;
}

export function ResourceCount({ server }: CountProps) {
  return <ListCount server={server} lists={['resources', 'resourceTemplates']} />;
}

export function PromptCount({ server }: CountProps) {
  return <ListCount server={server} lists={['prompts']} />;
}

interface ListCountProps extends CountProps {
  lists: readonly [ListKind, ListKind?];
}

function ListCount({ server, lists: [first, second] }: ListCountProps) {
  const one = useList(server.id, first);
  const other = useList(server.id, second ?? first);
  if (!one || one.state.type === 'unsupported') return null;
  return <Count count={one.count + (second ? (other?.count ?? 0) : 0)} />;
}

export function TaskCount({ server }: CountProps) {
  const count = useTaskCount(server.id);
  return count === 0 ? null : <Count count={count} />;
}

export function SkillCount({ server }: CountProps) {
  const count = useSkills((state) => state.lists[server.id]?.view?.skills.length);
  if (count === undefined || skillSupport(server) !== 'declared') return null;
  return <Count count={count} />;
}

/** A number beside the title of a tab. */
function Count({ count }: { count: number }) {
  return (
    <span className={styles.count} aria-hidden="true">
      {formatCount(count)}
    </span>
  );
}
