import { type JsonNode, joinPath } from './json-nodes.ts';

/** The rows that the user expanded or collapsed, and how much of long lists is shown. */
export interface TreeState {
  readonly toggled: ReadonlySet<string>;
  readonly unrolled: ReadonlyMap<string, number>;
}

export interface TreeRow {
  /** Unique, unlike the path: a duplicate key has two rows. */
  readonly id: string;
  readonly path: string;
  readonly level: number;
  readonly key: string | number | undefined;
  readonly node: JsonNode;
  /** undefined: the row cannot be expanded. */
  readonly open: boolean | undefined;
  readonly parent: string | undefined;
  readonly position: number;
  readonly siblings: number;
  /** The row represents this many further items of its parent. */
  readonly more?: number;
}

const BATCH = 100;
export const LONG_STRING = 160;

/** The number of shown items of the list with this id. */
export function shownOf(state: TreeState, id: string): number {
  return state.unrolled.get(id) ?? BATCH;
}

/** The number of shown items after the next step. */
export function nextOf(state: TreeState, id: string): number {
  return shownOf(state, id) + BATCH * 5;
}

function opensByDefault(node: JsonNode, level: number, depth: number): boolean {
  if (node.kind === 'object') return level <= depth;
  return node.kind === 'array' && level <= depth && node.items.length <= 20;
}

/** The rows to render, top to bottom. Containers are expanded by default down to `depth` levels. */
export function treeRows(root: JsonNode, state: TreeState, depth: number, prefix: string): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (
    node: JsonNode,
    at: { id: string; path: string; level: number; key: string | number | undefined; parent: string | undefined },
    place: { position: number; siblings: number },
  ) => {
    const members = membersOf(node);
    const opens = members.length > 0 || (node.kind === 'string' && node.value.length > LONG_STRING);
    const open = opens ? opensByDefault(node, at.level, depth) !== state.toggled.has(at.id) : undefined;
    rows.push({ ...at, ...place, node, open });
    if (!open || members.length === 0) return;
    under(members, at.id, at.path, at.level + 1);
  };
  const under = (
    members: readonly { key: string | number; value: JsonNode }[],
    parent: string | undefined,
    path: string,
    level: number,
  ) => {
    const shown = members.slice(0, shownOf(state, parent ?? ''));
    for (const [index, { key, value }] of shown.entries()) {
      const id = `${parent ?? ''}/${index}`;
      add(
        value,
        { id, path: joinPath(path, key), level, key, parent },
        { position: index + 1, siblings: members.length },
      );
    }
    const more = members.length - shown.length;
    if (more > 0)
      rows.push({
        id: `${parent ?? ''}/more`,
        path,
        level,
        key: undefined,
        node: { kind: 'literal', text: '' },
        open: undefined,
        parent,
        position: shown.length + 1,
        siblings: members.length,
        more,
      });
  };
  const top = membersOf(root);
  if (top.length > 0) under(top, undefined, prefix, 1);
  else add(root, { id: '/', path: prefix, level: 1, key: undefined, parent: undefined }, { position: 1, siblings: 1 });
  return rows;
}

function membersOf(node: JsonNode): readonly { key: string | number; value: JsonNode }[] {
  if (node.kind === 'object') return node.members;
  if (node.kind === 'array') return node.items.map((value, key) => ({ key, value }));
  return [];
}
