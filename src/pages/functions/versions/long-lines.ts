/** Excerpts of lines that are too long to show: the part around the first mark. */
import type { Range } from '../../../ui/code/code-tokens.ts';

const SHOWN_CHARS = 300;
const LEAD_CHARS = 40;
/** Minimum length of the excerpt, if the mark is near the end of the line. */
const LEAST_CHARS = 70;
/** The service cuts lines beyond this length and adds an ellipsis at the cut. */
const SENT_CHARS = 1000;

export type ShownLine = { readonly text: string; readonly marks: readonly Range[]; readonly cut: boolean };

/** Whether the service sent only a part of the line. */
export const isExcerpt = (text: string) => text.length > SENT_CHARS && /^…|…$/.test(text);

export function cutAround(text: string, marks: readonly Range[]): ShownLine {
  if (text.length <= SHOWN_CHARS) return { text, marks, cut: false };
  const first = marks[0]?.[0] ?? 0;
  const from = whole(text, Math.max(0, Math.min(first - LEAD_CHARS, text.length - LEAST_CHARS)));
  const to = whole(text, Math.min(text.length, from + SHOWN_CHARS));
  const before = from > 0 ? '…' : '';
  const shift = before.length - from;
  return {
    text: `${before}${text.slice(from, to)}${to < text.length ? '…' : ''}`,
    marks: marks
      .filter(([start, end]) => end > from && start < to)
      .map(([start, end]) => [Math.max(start, from) + shift, Math.min(end, to) + shift] as const),
    cut: true,
  };
}

/** Invisible characters, and those that change the text direction. */
const UNSEEN = /[\0-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const PICTURES = 0x2400;
const PICTURE_OF_DELETE = '\u2421';

/** The line with invisible characters and direction marks replaced by visible ones. */
export const seen = (text: string): string =>
  text.replace(UNSEEN, (char) => {
    if (char === '\x7f') return PICTURE_OF_DELETE;
    return char < ' ' ? String.fromCharCode(PICTURES + char.charCodeAt(0)) : '•';
  });

/** Never inside a surrogate pair. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
