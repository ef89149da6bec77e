import { useEffect } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { ListDetail } from '@/components/list-detail/ListDetail';
import { visibleText } from '@/lib/visible-text';
import { connectionOf, loadSkills, skillSupport, useSkills } from '@/state/calls/skills';
import { SkillDetail } from './SkillDetail';
import { SkillList } from './SkillList';
import { SKILLS } from './texts';

const PANES = [
  { id: 'list', size: 320, min: 200, keepsPixels: true },
  { id: 'skill', min: 260 },
] as const;

/** The skills of a server, and how each stands the comparison with its files. */
export default function SkillsTab({ server }: { server: ServerView }) {
  switch (skillSupport(server)) {
    case 'not-connected':
      return <EmptyState title={SKILLS.notConnected}>{SKILLS.notConnectedHint}</EmptyState>;
    case 'other-era':
      return <EmptyState title={SKILLS.otherEra}>{SKILLS.otherEraHint}</EmptyState>;
    case 'none':
      return <EmptyState title={SKILLS.none}>{SKILLS.noneHint}</EmptyState>;
    default:
      return <Listed server={server} />;
  }
}

function Listed({ server }: { server: ServerView }) {
  const backend = useBackend();
  const list = useSkills((state) => state.lists[server.id]);
  const selected = useSkills((state) => state.selected[server.id]);
  const isCurrent = list?.connection === connectionOf(server);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each connection.
  useEffect(() => {
    if (!isCurrent) void loadSkills(backend, server);
  }, [isCurrent, backend, server.id]);
  if (!list || !isCurrent || list.isLoading) return <EmptyState title={SKILLS.loading} />;
  const again = <Button onPress={() => void loadSkills(backend, server)}>{SKILLS.again}</Button>;
  if (!list.view) {
    return (
      <EmptyState title={SKILLS.failed} action={again}>
        {visibleText(list.problem ?? '')}
      </EmptyState>
    );
  }
  if (list.view.skills.length === 0 && list.view.findings.length === 0) {
    return (
      <EmptyState title={SKILLS.empty} action={again}>
        {SKILLS.emptyHint}
      </EmptyState>
    );
  }
  const shown = selected ?? list.view.skills[0]?.uri;
  return (
    <ListDetail name="skills" panes={PANES}>
      <SkillList server={server} view={list.view} selected={shown} />
      {shown === undefined ? (
        <EmptyState title={SKILLS.choose} />
      ) : (
        <SkillDetail key={`${server.id}\n${shown}`} server={server} uri={shown} />
      )}
    </ListDetail>
  );
}
