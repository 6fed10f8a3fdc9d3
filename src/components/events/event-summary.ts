/** A payload in one line: enough to distinguish two events of a type. */
import { LongNumber } from '../../../contract/text/exact-json.ts';

const PIECES_MAX = 4;
const PIECE_MAX_CHARS = 48;
const DEPTH_MAX = 4;

/** Values without use in a summary: times, which are shown beside it, and URLs, which are long. */
const DULL = /^(\d{4}-\d{2}-\d{2}T|https?:\/\/)/;

function pieceOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean' || value instanceof LongNumber) return String(value);
  if (typeof value !== 'string') return undefined;
  const text = value.replace(/\s+/g, ' ').trim();
  if (text === '' || DULL.test(text)) return undefined;
  return text.length > PIECE_MAX_CHARS ? `${text.slice(0, PIECE_MAX_CHARS)}…` : text;
}

/** The first few scalar values, top-level ones first: `in_1SWq2F · 8900 · usd`. */
export function summaryOf(payload: Readonly<Record<string, unknown>>): string {
  const pieces: string[] = [];
  let level: unknown[] = [payload];
  for (let depth = 0; depth < DEPTH_MAX && level.length > 0; depth += 1) {
    const inner = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    for (const value of inner) {
      const piece = pieceOf(value);
      if (piece !== undefined) pieces.push(piece);
      if (pieces.length === PIECES_MAX) return pieces.join(' · ');
    }
    level = inner.slice(0, 50);
  }
  return pieces.length > 0 ? pieces.join(' · ') : JSON.stringify(payload).slice(0, 120);
}

/** Sources with a single event type: senders name the type in the payload. */
const ONE_TYPE = new Set(['webhook', 'poll']);
const TYPE_FIELDS = ['type', 'event_type', 'event', 'topic'];
const TYPE_MAX_CHARS = 100;

/** The type to show for an event: that in its payload if the source has only one. */
export function shownType(event: {
  readonly source: string;
  readonly event_type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}): string {
  if (!ONE_TYPE.has(event.source)) return event.event_type;
  const named = TYPE_FIELDS.map((field) => event.payload[field]).find(
    (value) => typeof value === 'string' && /\S/.test(value) && value.length <= TYPE_MAX_CHARS,
  );
  return typeof named === 'string' ? named.trim() : event.event_type;
}
