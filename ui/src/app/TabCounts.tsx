import type { ListKind, ServerView } from '@/backend/bindings';
import { Glyph } from '@/components/Glyph';
import { formatCount } from '@/lib/format';
import { useLists } from '@/state/calls/lists';
import { skillSupport, useSkills } from '@/state/calls/skills';
import { useTaskCount } from '@/state/calls/tasks';
import { useServerVerdict } from '@/state/checks/verdict';
import { CHECK_STATES } from '@/widgets/findings/texts';
import styles from './app.module.css';

interface CountProps {
  server: ServerView;
}

/** Makes the number of items of lists, of which a server has at least the first. */
export function countOf(...kinds: readonly [ListKind, ...ListKind[]]) {
  return function ListCount({ server }: CountProps) {
    const lists = useLists((state) => state.byServer[server.id]);
    const first = lists?.[kinds[0]];
    if (!first || first.state.type === 'unsupported') return null;
    return <Count count={kinds.reduce((sum, kind) => sum + (lists[kind]?.count ?? 0), 0)} />;
  };
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
