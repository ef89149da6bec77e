/**
 * Changes of configuration files that are not saved.
 *
 * They outlast the editor that they were made in. The host keeps them for the time that another
 * project is shown, in its memory alone: they may hold secrets.
 */

import type { Backend } from '@/backend/backend';
import { showError } from '@/state/notices';
import { useServers } from '@/state/servers/servers';
import { type Editing, resumeEditing } from './setup-view';

/** A file's text that was edited and not saved. */
export interface UnsavedText {
  editing: Editing;
  /** The text of the file that the change was made to. */
  base: string;
  text: string;
  /** The server in the text, whatever it is called by now. */
  name: string | null;
  /** Fields of the form that the text does not say yet. */
  form: object | null;
}

/** Milliseconds after a change before it is handed to the host. */
const STORE_DELAY = 200;

/** By file. */
const texts = new Map<string, UnsavedText>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** The change of a file that was left without being saved or discarded. */
export function unsavedText(file: string): UnsavedText | undefined {
  return texts.get(file);
}

export function storeUnsavedText(backend: Backend, file: string, text: UnsavedText): void {
  // The one that was edited last is the one to go on with.
  texts.delete(file);
  texts.set(file, text);
  later(backend);
}

export function forgetUnsavedText(backend: Backend, file: string): void {
  if (texts.delete(file)) later(backend);
}

function later(backend: Backend): void {
  clearTimeout(timer);
  timer = setTimeout(() => void storeUnsaved(backend).catch(showError), STORE_DELAY);
}

/** Hands everything that is not saved to the host, before another project is shown. */
export async function storeUnsaved(backend: Backend): Promise<void> {
  clearTimeout(timer);
  const { path } = useServers.getState().project;
  await backend.updateUnsaved(path, texts.size === 0 ? null : JSON.stringify([...texts]));
}

/** Goes on with what was not saved when another project was shown. */
export async function restoreUnsaved(backend: Backend): Promise<void> {
  const stored = await backend.getUnsaved();
  if (stored === null) return;
  for (const [file, text] of JSON.parse(stored) as [string, UnsavedText][]) texts.set(file, text);
  const last = [...texts.values()].at(-1);
  if (last) resumeEditing(last.editing);
}
