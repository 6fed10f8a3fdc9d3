/** Arrow key navigation in a grid layout: keys move to the visually adjacent item. */

/** The item a key leads to; undefined for other keys, null to leave the grid at the top. */
export function gridStep<T extends HTMLElement>(all: readonly T[], at: number, key: string): T | null | undefined {
  switch (key) {
    case 'ArrowRight':
      return all[at + 1] ?? all[at];
    case 'ArrowLeft':
      return all[at - 1] ?? all[at];
    case 'Home':
      return all[0];
    case 'End':
      return all.at(-1);
    case 'ArrowDown':
      return nearest(all, at, 1) ?? all[at];
    case 'ArrowUp':
      return nearest(all, at, -1) ?? null;
    default:
      return undefined;
  }
}

/** The item of the adjacent row that is nearest to the column of this one. */
function nearest<T extends HTMLElement>(all: readonly T[], at: number, way: 1 | -1): T | undefined {
  const from = all[at]?.getBoundingClientRect();
  if (!from) return undefined;
  const beyond = all
    .map((each) => ({ each, box: each.getBoundingClientRect() }))
    .filter(({ box }) => way * (box.top - from.top) >= from.height / 2);
  const row = Math.min(...beyond.map(({ box }) => Math.abs(box.top - from.top)));
  return beyond
    .filter(({ box }) => Math.abs(Math.abs(box.top - from.top) - row) < 1)
    .sort((a, b) => Math.abs(a.box.left - from.left) - Math.abs(b.box.left - from.left))[0]?.each;
}
