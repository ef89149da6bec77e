import type { ClientFields, DraftTools, ServerView, Target } from '@/backend/bindings';

/** The lists of tools that a client can have in the entry of a server. */
export type ToolLists = Pick<ClientFields, 'enabledTools' | 'disabledTools'>;

/** Tells whether a tool is put before the model, by the lists of an entry. */
export function isOn({ enabled, disabled }: DraftTools, tool: string): boolean {
  return (enabled === null || enabled.includes(tool)) && !disabled.includes(tool);
}

/**
 * The lists of an entry with some tools switched. A list that is there is kept to; without one a
 * tool is switched off by its name where the client can say so, and else by naming all others.
 */
export function withSwitched(
  lists: ToolLists,
  tools: DraftTools,
  listed: readonly string[],
  switched: ReadonlyMap<string, boolean>,
): DraftTools {
  let { enabled, disabled } = tools;
  for (const [tool, on] of switched) {
    if (isOn({ enabled, disabled }, tool) === on) continue;
    if (on) {
      disabled = disabled.filter((name) => name !== tool);
      if (enabled !== null && !enabled.includes(tool)) enabled = [...enabled, tool];
    } else if (enabled !== null) {
      enabled = enabled.filter((name) => name !== tool);
    } else if (lists.disabledTools) {
      disabled = [...disabled, tool];
    } else {
      enabled = listed.filter((name) => name !== tool);
    }
  }
  return { enabled, disabled };
}

/** The place where a client defines a server; absent where another client alone does. */
export function placeIn(client: string, { target, also }: ServerView): Target | undefined {
  if (target?.client === client) return target;
  return also.find((place) => place.target.client === client)?.target;
}
