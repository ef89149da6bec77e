import type { Backend } from '@/backend/backend';
import type { ServerId } from '@/backend/bindings';
import { showError } from '@/state/notices';
import { saveSettings } from '@/state/settings';
import { useSnapshot } from '@/state/snapshot';

/** Returns the ids with `id` right before `before`; at the end where that is null. */
export function moved(
  ids: readonly ServerId[],
  id: ServerId,
  before: ServerId | null,
): readonly ServerId[] {
  if (id === before) return ids;
  const others = ids.filter((known) => known !== id);
  const place = before === null ? -1 : others.indexOf(before);
  return place < 0 ? [...others, id] : others.toSpliced(place, 0, id);
}

/** Keeps the order of the servers of one group. */
export function saveOrder(backend: Backend, group: readonly ServerId[]): void {
  const { settings } = useSnapshot.getState();
  const others = settings.order.filter((id) => !group.includes(id));
  saveSettings(backend, { order: [...others, ...group] }).catch(showError);
}
