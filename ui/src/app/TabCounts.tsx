import type { ListKind, ServerView } from '@/backend/bindings';
import { Glyph } from '@/components/Glyph';
import { formatCount } from '@/lib/format';
import { useList } from '@/state/calls/lists';
import { skillSupport, useSkills } from '@/state/calls/skills';
import { useTaskCount } from '@/state/calls/tasks';
import { useServerVerdict } from '@/state/checks/verdict';
import { CHECK_STATES } from '@/widgets/findings/texts';
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

/**
 * The number of things that checks found, with the glyph of the worst. It comes after the lists were
 * read: its place is kept free, so that no tab moves under the pointer.
 */
export function CheckCount({ server }: CountProps) {
  const { state, count } = useServerVerdict(server);
  return (
    <span className="row gap-3" style={{ minWidth: '3.5em' }}>
      {count > 0 && (
        <>
          <Glyph {...CHECK_STATES[state]} />
          <Count count={count} />
        </>
      )}
    </span>
  );
}

/** A number beside the title of a tab. */
function Count({ count }: { count: number }) {
  return (
    <span className={styles.count} aria-hidden="true">
      {formatCount(count)}
    </span>
  );
}
