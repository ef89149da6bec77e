import { ROOTS } from './texts';

/** The folders of a `roots/list` result in one line. */
export function textOfRoots(json: string): string {
  try {
    const result: unknown = JSON.parse(json);
    const roots = (result as { roots?: { uri?: unknown }[] } | null)?.roots ?? [];
    const folders = roots.map(({ uri }) => String(uri));
    return folders.length > 0 ? folders.join(', ') : ROOTS.noFolders;
  } catch {
    return json;
  }
}
