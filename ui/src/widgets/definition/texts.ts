/** All texts about definitions as servers send them, in one place. */
import type { DefinitionBase } from '@/backend/bindings';

export const DEFINITION = {
  show: 'Definition',
  label: 'Definition as the server sent it',
  json: 'Definition',
  view: 'View of the definition',
  tree: 'Tree',
  asSent: 'As sent',
  copy: 'Copy',
  copied: 'Copied the definition',
  icons: 'Icons',
  icon: 'Icon sent by the server',
  remoteIcon: 'not loaded',
  changes: 'What changed',
  text: 'Text before and after',
  textOnly:
    'Only the text is another: the order of members, whitespace, or how a number is written.',
  showChanges: 'Show what changed',
  cut: 'The text is longer than what is shown here. Copy it to have all of it.',
} as const;

/** Says since when a definition is another. */
export const CHANGED_SINCE: Record<DefinitionBase, string> = {
  listChanged: 'The server changed this and announced it.',
  agreed: 'This is not the definition that you agreed to.',
};
