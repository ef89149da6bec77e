/** A line of the tree of files: a file, or a folder above some. */
export interface TreeLine {
  id: string;
  name: string;
  depth: number;
  /** Null of a folder. */
  uri: string | null;
}

interface TreeFile {
  uri: string;
  path: string;
}

/** The lines of a tree: the files of a folder before the folders in it, `SKILL.md` first. */
export function treeOf(files: readonly TreeFile[]): TreeLine[] {
  const lines: TreeLine[] = [];
  add(
    files.map((file) => ({
      ...file,
      rest: file.path.includes('://') ? [file.path] : file.path.split('/'),
    })),
    '',
    0,
    lines,
  );
  return lines;
}

function add(
  files: readonly (TreeFile & { rest: readonly string[] })[],
  folder: string,
  depth: number,
  lines: TreeLine[],
): void {
  const byName = (one: string, other: string) => (one < other ? -1 : Number(one > other));
  const here = files.filter(({ rest }) => rest.length <= 1);
  here.sort((one, other) => {
    const first = Number(other.path === 'SKILL.md') - Number(one.path === 'SKILL.md');
    return first || byName(one.path, other.path);
  });
  for (const { uri, rest, path } of here)
    lines.push({ id: uri, name: rest[0] ?? path, depth, uri });
  const below = new Map<string, (TreeFile & { rest: readonly string[] })[]>();
  for (const file of files) {
    const [name, ...rest] = file.rest;
    if (name === undefined || rest.length === 0) continue;
    below.set(name, [...(below.get(name) ?? []), { ...file, rest }]);
  }
  for (const name of [...below.keys()].sort(byName)) {
    const path = `${folder}${name}/`;
    lines.push({ id: `folder ${path}`, name, depth, uri: null });
    add(below.get(name) ?? [], path, depth + 1, lines);
  }
}
