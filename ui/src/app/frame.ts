/*
 * Draws the frame of the window before its code is there: the lines, the theme, and the names in the
 * sidebar. Stands in the page itself (`frame-in-page.ts`), so that it waits for no file; and is kept
 * small for that. The first picture of the window takes its place.
 */
import type { Snapshot } from '@/backend/bindings';
import { chosenHeight, heightIn, isOpenAtStart } from '@/features/record/drawer/place';
import { visibleText } from '@/lib/visible-text';
import { windowHeight } from '@/lib/window-size';
import { foldedGroups, groupServers, MAX_WITHOUT_FILTER } from '@/state/servers/groups';
import { startWidth } from './sidebar-width';

/** The most rows that are drawn: no window shows more. */
const MAX_ROWS = 100;

/** Milliseconds after which the code of the window is loaded, painted or not. */
const PAINT_TIMEOUT = 50;

/** Returns the snapshot that the page was handed out with (`page.rs`), if it was with one. */
export function readGiven(): Snapshot | undefined {
  try {
    const given: unknown = JSON.parse(document.getElementById('given')?.textContent ?? 'null');
    // Before anything is put there, it is a text.
    return typeof given === 'object' && given !== null ? (given as Snapshot) : undefined;
  } catch {
    return undefined;
  }
}

/** Draws what is known of the window, in its place. */
export function drawFrame(given: Snapshot | undefined): void {
  const frame = document.querySelector<HTMLElement>('.frame');
  if (!frame) return;
  frame.style.setProperty('--frame-side', `${startWidth()}px`);
  if (!given) return;
  const { settings, project, servers, files, recording } = given;
  if (settings.theme !== 'system') document.documentElement.dataset.theme = settings.theme;
  if (recording.frames > 0 && isOpenAtStart()) {
    frame.style.setProperty('--frame-record', `${heightIn(windowHeight(), chosenHeight())}px`);
  }
  frame.querySelector('.frame-project')?.append(visibleText(project.name));
  const filter = servers.length > MAX_WITHOUT_FILTER ? [row('frame-filter', '')] : [];
  const folded = new Set<string>(foldedGroups());
  const rows = groupServers(servers, files, settings.order).flatMap((group): Row[] => {
    if (folded.has(group.id)) return [['frame-folded', group.title]];
    return [
      ['frame-group', group.title],
      ...group.files.map((): Row => ['frame-server', '']),
      ...group.servers.map(({ name }): Row => ['frame-server', name]),
    ];
  });
  const shown = rows.slice(0, MAX_ROWS).map(([kind, text]) => row(kind, visibleText(text)));
  frame.querySelector('.frame-list')?.append(...filter, ...shown);
}

/** Class and text of a row. */
type Row = readonly [kind: string, text: string];

function row(kind: string, text: string): HTMLElement {
  const element = document.createElement('div');
  element.className = kind;
  element.textContent = text;
  return element;
}

/** Calls back once the frame is painted, or after a moment where nothing is painted yet. */
export function afterFrame(callback: () => void): void {
  let isOver = false;
  const once = () => {
    if (isOver) return;
    isOver = true;
    callback();
  };
  // The second frame has the first behind it.
  requestAnimationFrame(() => requestAnimationFrame(once));
  // The host shows the window once the page is loaded; until then there are no frames.
  window.addEventListener('load', () => setTimeout(once, PAINT_TIMEOUT));
}
