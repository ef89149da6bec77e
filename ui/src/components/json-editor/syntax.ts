import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { attempt } from '@/lib/attempt';
import { fromPointer } from '@/lib/json/pointer';

type SyntaxNode = ReturnType<typeof syntaxTree>['topNode'];

interface TextRange {
  from: number;
  to: number;
}

const VALUES = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']);

function valueIn(node: SyntaxNode): SyntaxNode | null {
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (VALUES.has(child.name)) return child;
  }
  return null;
}

function nameOf(property: SyntaxNode, state: EditorState): string | undefined {
  const name = property.getChild('PropertyName');
  return name ? attempt(() => JSON.parse(state.sliceDoc(name.from, name.to))) : undefined;
}

/**
 * Finds the range of the value that a JSON pointer names. A member that is missing is shown at the
 * brace of the object that misses it.
 */
export function rangeOf(state: EditorState, pointer: string): TextRange {
  const top = syntaxTree(state).topNode;
  let value = valueIn(top);
  let name: SyntaxNode | null = null;
  for (const step of fromPointer(pointer)) {
    if (!value) break;
    const next =
      value.name === 'Array' ? itemAt(value, Number(step)) : memberOf(value, step, state);
    if (!next) return { from: value.from, to: Math.min(value.from + 1, value.to) };
    name = next.name;
    value = next.value;
  }
  const node = value ?? name;
  if (!node) return { from: 0, to: Math.min(1, state.doc.length) };
  // A whole object underlined would drown everything inside it.
  const isContainer = node.name === 'Object' || node.name === 'Array';
  if (isContainer && name) return { from: name.from, to: name.to };
  return { from: node.from, to: isContainer ? node.from + 1 : node.to };
}

function memberOf(object: SyntaxNode, wanted: string, state: EditorState) {
  for (const property of object.getChildren('Property')) {
    if (nameOf(property, state) === wanted) {
      return { name: property.getChild('PropertyName'), value: valueIn(property) };
    }
  }
  return undefined;
}

function itemAt(array: SyntaxNode, index: number) {
  let place = 0;
  for (let child = array.firstChild; child; child = child.nextSibling) {
    if (!VALUES.has(child.name)) continue;
    if (place === index) return { name: null, value: child };
    place += 1;
  }
  return undefined;
}

/** The part of the document that is being written at a position. */
export interface Place {
  kind: 'name' | 'value';
  /** The path from the root to the object (for a name) or to the value. */
  path: (string | number)[];
  /** The text that a completion replaces. */
  range: TextRange;
  /** Names that the object has already. */
  taken: string[];
}

/** Finds the part that the user is writing at `position`; undefined where no completion makes sense. */
export function placeAt(state: EditorState, position: number): Place | undefined {
  const node = syntaxTree(state).resolveInner(position, -1);
  if (node.name === 'PropertyName') {
    const object = node.parent?.parent;
    return object ? namePlace(state, object, { from: node.from, to: node.to }) : undefined;
  }
  const before = state.sliceDoc(Math.max(0, position - 200), position);
  const word = /"?[\w.+-]*$/.exec(before)?.[0] ?? '';
  const range =
    node.name === 'String' ||
    node.name === 'Number' ||
    node.name === 'True' ||
    node.name === 'False'
      ? { from: node.from, to: node.to }
      : { from: position - word.length, to: position };
  const sign = /([{[:,])\s*$/.exec(before.slice(0, before.length - (position - range.from)))?.[1];
  const container = enclosing(node);
  if (!container) return undefined;
  if (container.name === 'Object' && (sign === '{' || sign === ',')) {
    return namePlace(state, container, range);
  }
  if (sign === ':' || container.name === 'Array') {
    return { kind: 'value', path: pathTo(state, container, position), range, taken: [] };
  }
  return undefined;
}

function enclosing(node: SyntaxNode): SyntaxNode | null {
  let current: SyntaxNode | null = node;
  while (current && current.name !== 'Object' && current.name !== 'Array') current = current.parent;
  return current;
}

function namePlace(state: EditorState, object: SyntaxNode, range: TextRange): Place {
  const taken = object
    .getChildren('Property')
    .filter((property) => property.from !== range.from)
    .map((property) => nameOf(property, state) ?? '');
  return { kind: 'name', path: pathTo(state, object, undefined), range, taken };
}

/** The path of a container, and on to the member or item at `position` when one is given. */
function pathTo(state: EditorState, container: SyntaxNode, position: number | undefined) {
  const path: (string | number)[] = [];
  if (position !== undefined) {
    if (container.name === 'Array') path.unshift(indexAt(container, position));
    else {
      const property = container.getChildren('Property').findLast(({ from }) => from < position);
      path.unshift((property && nameOf(property, state)) ?? '');
    }
  }
  for (let node = container; node.parent; node = node.parent) {
    if (node.parent.name === 'Property') path.unshift(nameOf(node.parent, state) ?? '');
    else if (node.parent.name === 'Array') path.unshift(indexAt(node.parent, node.from));
  }
  return path;
}

function indexAt(array: SyntaxNode, position: number): number {
  let place = 0;
  for (let child = array.firstChild; child; child = child.nextSibling) {
    if (child.from >= position) break;
    if (VALUES.has(child.name) && child.to < position) place += 1;
  }
  return place;
}
