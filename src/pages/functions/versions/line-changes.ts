/** Counts the added and removed lines: the length of the shortest edit script between two texts. */
export type LineChanges = { readonly added: number; readonly removed: number };

/** Beyond this number of edits, the texts count as entirely different between their common prefix and suffix. */
const EDITS_MAX = 4_000;

export function lineChanges(before: string | undefined, after: string | undefined): LineChanges {
  const a = linesOf(before);
  const b = linesOf(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const edits = editsBetween(a.slice(start, a.length - end), b.slice(start, b.length - end));
  // edits = added + removed, and added - removed is the difference in length
  const grown = b.length - a.length;
  return { added: (edits + grown) / 2, removed: (edits - grown) / 2 };
}

const linesOf = (text: string | undefined): readonly string[] => {
  if (text === undefined || text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
};

/** Myers' greedy algorithm: for each number of edits, the furthest point of each diagonal. */
function editsBetween(a: readonly string[], b: readonly string[]): number {
  const most = a.length + b.length;
  const limit = Math.min(most, EDITS_MAX);
  const reach = new Int32Array(2 * limit + 3);
  const middle = limit + 1;
  const at = (diagonal: number) => reach[middle + diagonal] ?? 0;
  for (let edits = 0; edits <= limit; edits += 1) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
      let x = down ? at(diagonal + 1) : at(diagonal - 1) + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      reach[middle + diagonal] = x;
      if (x >= a.length && x - diagonal >= b.length) return edits;
    }
  }
  return most;
}
