/** Translates escapes that RE2 lacks: JavaScript's \u0041, \u{1F600} and \uD83D\uDE00. */

/** Also matches quoted parts and escaped characters such as `\\u0041`, which stay unchanged. */
const ESCAPES =
  /\\Q.*?(?:\\E|$)|\\u([Dd][89ABab][0-9A-Fa-f]{2})\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})|\\u([0-9A-Fa-f]{4})|\\u(\{[0-9A-Fa-f]{1,6}\})|\\./gs;

type Re2Expression = {
  readonly text: string;
  /** Maps a position in `text` to the source. */
  sourceAt(at: number): number;
};

/** Translates an expression to RE2 syntax. */
export function toRe2(source: string): Re2Expression {
  /** Replaced escapes: their ranges in `text` and in the source. */
  const changes: { start: number; end: number; sourceStart: number; sourceEnd: number }[] = [];
  let longer = 0;
  const text = source.replace(
    ESCAPES,
    (written, high?: string, low?: string, four?: string, braced?: string, start = 0) => {
      const re2 = re2Escape(high, low, four, braced);
      if (re2 === undefined) return written;
      const from = start + longer;
      longer += re2.length - written.length;
      changes.push({
        start: from,
        end: from + re2.length,
        sourceStart: start,
        sourceEnd: start + written.length,
      });
      return re2;
    },
  );
  return {
    text,
    sourceAt(at) {
      const before = changes.findLast(({ start }) => start <= at);
      if (before === undefined) return at;
      return at < before.end ? before.sourceStart : before.sourceEnd + at - before.end;
    },
  };
}

function re2Escape(high?: string, low?: string, four?: string, braced?: string): string | undefined {
  if (high !== undefined && low !== undefined) {
    const pair = String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16));
    return `\\x{${pair.codePointAt(0)?.toString(16)}}`;
  }
  if (four !== undefined) return `\\x{${four}}`;
  return braced === undefined ? undefined : `\\x${braced}`;
}
