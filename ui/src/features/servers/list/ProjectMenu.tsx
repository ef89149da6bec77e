import { ChevronsUpDown } from 'lucide-react';
import { memo, useRef, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ProjectEntry } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { type MenuEntry, MenuList } from '@/components/Menu';
import { Tooltip } from '@/components/Tooltip';
import { visibleText } from '@/lib/visible-text';
import { runAction, useAction } from '@/state/actions';
import { showError } from '@/state/notices';
import { chooseProject, switchProject } from '@/state/projects';
import { useServers } from '@/state/servers/servers';
import styles from './sidebar.module.css';
import { PROJECTS } from './texts';

/** The project that is shown, and the way to others. */
export const ProjectMenu = memo(function ProjectMenu() {
  const backend = useBackend();
  const project = useServers((state) => state.project);
  const button = useRef<HTMLButtonElement>(null);
  const [entries, setEntries] = useState<readonly ProjectEntry[] | null>(null);
  const open = () => void backend.listProjects().then(setEntries, showError);
  useAction('project.switch', open);
  useAction('project.open', () => chooseProject(backend));
  return (
    <div className={styles.project}>
      <Tooltip text={project.path}>
        <Button
          ref={button}
          variant="quiet"
          className={styles.projectButton}
          aria-haspopup="menu"
          onPress={open}
        >
          <bdi className="ellipsis semibold text-1">{visibleText(project.name)}</bdi>
          <ChevronsUpDown size={12} />
        </Button>
      </Tooltip>
      {entries && (
        <MenuList
          label={PROJECTS.title}
          triggerRef={button}
          onClose={() => setEntries(null)}
          groups={[
            entries.filter(isOpen).map((entry) => toEntry(entry, () => show(entry))),
            entries
              .filter((entry) => !isOpen(entry))
              .map((entry) => toEntry(entry, () => show(entry))),
            [
              {
                id: 'open',
                title: PROJECTS.open,
                // The menu gives focus back first.
                run: () => setTimeout(() => chooseProject(backend)),
              },
              {
                id: 'open-session',
                title: PROJECTS.openSession,
                run: () => setTimeout(() => runAction('session.open')),
              },
              ...entries.filter((entry) => isOpen(entry) && !entry.isCurrent).map(closing),
            ],
          ].filter((group) => group.length > 0)}
        />
      )}
    </div>
  );

  function show({ path, isCurrent }: ProjectEntry): void {
    if (!isCurrent) switchProject(backend, () => backend.openProject(path));
  }

  function closing({ name, path, hasDraft }: ProjectEntry): MenuEntry {
    return {
      id: `close ${path}`,
      title: PROJECTS.close(visibleText(name)),
      keys: hasDraft ? PROJECTS.draft : undefined,
      isDisabled: hasDraft,
      run: () => void backend.closeProject(path).catch(showError),
    };
  }
});

function isOpen({ connected }: ProjectEntry): boolean {
  return connected !== null;
}

function toEntry(entry: ProjectEntry, run: () => void): MenuEntry {
  const { name, path, connected, isCurrent } = entry;
  return {
    id: path,
    title: visibleText(isCurrent ? PROJECTS.current(name) : name),
    keys: visibleText(connected === null ? path : PROJECTS.state(entry, connected)),
    run,
  };
}
