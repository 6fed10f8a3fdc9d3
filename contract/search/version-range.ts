/** Ranges of package versions in a search, such as `<14`, `^1.2` or `>=2 <2.4`. */

/** A version as three numbers. */
type Version = readonly [major: number, minor: number, patch: number];
/** `from` is inclusive, `to` is not; a side that is absent is open. */
export type VersionRange = { from?: Version; to?: Version };

const PART = /^(\^|~|>=|<=|>|<|=)?v?(\d{1,9})(?:\.(\d{1,9}|[x*]))?(?:\.(\d{1,9}|[x*]))?(?:[-+][\w.+-]*)?$/;

/** Reads a range, whose parts are separated by blanks or commas and must all hold; undefined when it is none. */
export function readVersionRange(text: string): VersionRange[] | undefined {
  const parts = text
    .replace(/(\^|~|[<>=]=?)\s+/g, '$1')
    .split(/[\s,]+/)
    .filter(Boolean);
  const ranges = parts.map(rangeOf);
  return ranges.length === 0 || ranges.includes(undefined) ? undefined : ranges.filter((range) => range !== undefined);
}

function rangeOf(part: string): VersionRange | undefined {
  const [, sign = '=', major, minor, patch] = PART.exec(part) ?? [];
  if (major === undefined) return undefined;
  const numbers = [major, minor, patch].map((each) => (each && /^\d+$/.test(each) ? Number(each) : undefined));
  const written = numbers.includes(undefined) ? numbers.indexOf(undefined) : numbers.length;
  const [a = 0, b = 0, c = 0] = numbers;
  const from: Version = [a, b, c];
  /** The first version after all that begin with what is written. */
  const after = next(from, written - 1);
  if (sign === '>') return { from: after };
  if (sign === '>=') return { from };
  if (sign === '<') return { to: from };
  if (sign === '<=') return { to: after };
  if (sign === '^') return { from, to: next(from, Math.min(written - 1, firstOf(from))) };
  if (sign === '~') return { from, to: next(from, Math.min(written - 1, 1)) };
  return { from, to: after };
}

/** A caret keeps the first number that is not zero. */
const firstOf = (version: Version): number => {
  const first = version.findIndex((each) => each > 0);
  return first < 0 ? 2 : first;
};

function next([major, minor, patch]: Version, at: number): Version {
  if (at <= 0) return [major + 1, 0, 0];
  return at === 1 ? [major, minor + 1, 0] : [major, minor, patch + 1];
}

/** Whether a version is in all ranges. A prerelease counts as the version that it precedes. */
export function isInRange(version: string, ranges: readonly VersionRange[]): boolean {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined) return false;
  const here: Version = [Number(major), Number(minor), Number(patch)];
  return ranges.every(({ from, to }) => (!from || compare(here, from) >= 0) && (!to || compare(here, to) < 0));
}

const compare = (a: Version, b: Version): number => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
