/** All texts about the choice of a tool. */
export const TOOL_FIELD = {
  none: 'None',
  choose: 'Choose a tool',
} as const;
