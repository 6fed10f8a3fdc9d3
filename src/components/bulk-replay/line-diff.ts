/** A side-by-side line diff: equal lines share a row. */

export interface DiffRow {
  readonly left: string | undefined;
  readonly right: string | undefined;
  readonly same: boolean;
}

/** Above this number of line pairs, all lines between the equal ends are marked as changed. */
const PAIRS_MAX = 250_000;

export function diffLines(left: string, right: string): readonly DiffRow[] {
  const a = left === '' ? [] : left.split('\n');
  const b = right === '' ? [] : right.split('\n');
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const same = (line: string): DiffRow => ({ left: line, right: line, same: true });
  return [
    ...a.slice(0, start).map(same),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(same),
  ];
}

function middle(a: readonly string[], b: readonly string[]): DiffRow[] {
  if (a.length * b.length > PAIRS_MAX) return changed(a, b);
  const common = lengths(a, b);
  const at = (i: number, j: number) => common[i * (b.length + 1) + j] ?? 0;
  const rows: DiffRow[] = [];
  let [i, j] = [0, 0];
  let gone: string[] = [];
  let come: string[] = [];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      rows.push(...changed(gone, come), { left, right, same: true });
      [gone, come] = [[], []];
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      gone.push(left);
      i += 1;
    } else if (right !== undefined) {
      come.push(right);
      j += 1;
    }
  }
  return [...rows, ...changed(gone, come)];
}

/** Rows of removed lines beside the lines added in their place. */
function changed(gone: readonly string[], come: readonly string[]): DiffRow[] {
  return Array.from({ length: Math.max(gone.length, come.length) }, (_, index) => ({
    left: gone[index],
    right: come[index],
    same: false,
  }));
}

/** For each pair of positions, the length of the longest common subsequence of the remaining lines. */
function lengths(a: readonly string[], b: readonly string[]): Uint32Array {
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const next =
        a[i] === b[j]
          ? (table[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(table[(i + 1) * width + j] ?? 0, table[i * width + j + 1] ?? 0);
      table[i * width + j] = next;
    }
  }
  return table;
}
