import { type PointerEvent as ReactPointerEvent, useEffect, useRef } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerId } from '@/backend/bindings';
import type { ServerGroup } from '@/state/servers/groups';
import { moved, saveOrder } from '@/state/servers/server-order';
import { keyAt } from './layout';

/** Pixels that the pointer moves before a row is dragged. */
const DRAG_DISTANCE = 6;

/**
 * Drags a row to another place within its group. Returns the handler of the list that holds the
 * rows. The row before or after which it would be dropped has the attribute `data-drop`.
 */
export function useRowDrag(groups: readonly ServerGroup[]) {
  const backend = useBackend();
  const stop = useRef<() => void>(() => {});
  useEffect(() => () => stop.current(), []);
  return (event: ReactPointerEvent) => {
    const id = keyAt(event.target);
    const group = groups.find(({ servers }) => servers.some((server) => server.id === id));
    if (id === null || !group || event.button !== 0 || event.ctrlKey || event.shiftKey) return;
    const ids = group.servers.map((server) => server.id);
    stop.current();
    stop.current = follow(event.clientY, ids, (before) => {
      const order = moved(ids, id, before);
      if (order.some((known, place) => known !== ids[place])) saveOrder(backend, order);
    });
  };
}

/** Follows the pointer until it is released, or Escape is pressed. Returns how to stop. */
function follow(
  startY: number,
  ids: readonly ServerId[],
  drop: (before: ServerId | null) => void,
): () => void {
  let isDragging = false;
  let target: { row: Element; before: ServerId | null } | null = null;
  const unmark = () => target?.row.removeAttribute('data-drop');
  const move = (event: PointerEvent) => {
    isDragging ||= Math.abs(event.clientY - startY) > DRAG_DISTANCE;
    if (!isDragging) return;
    document.body.style.cursor = 'grabbing';
    unmark();
    target = targetAt(event, ids);
  };
  const end = () => {
    unmark();
    document.body.style.cursor = '';
    window.removeEventListener('pointermove', move);
    window.removeEventListener('pointerup', up);
    window.removeEventListener('pointercancel', end);
    window.removeEventListener('keydown', cancel, true);
  };
  const up = () => {
    end();
    if (isDragging && target) drop(target.before);
  };
  const cancel = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isDragging) return;
    event.stopPropagation();
    end();
  };
  window.addEventListener('pointermove', move);
  window.addEventListener('pointerup', up);
  window.addEventListener('pointercancel', end);
  window.addEventListener('keydown', cancel, true);
  return end;
}

/** Marks the row under the pointer, where that is one of `ids`. */
function targetAt({ clientX, clientY }: PointerEvent, ids: readonly ServerId[]) {
  const row = document.elementFromPoint(clientX, clientY)?.closest('[role=option]');
  const place = ids.indexOf(keyAt(row ?? null) ?? '');
  if (!row || place < 0) return null;
  const { top, height } = row.getBoundingClientRect();
  const isAfter = clientY > top + height / 2;
  row.setAttribute('data-drop', isAfter ? 'after' : 'before');
  return { row, before: ids[isAfter ? place + 1 : place] ?? null };
}
