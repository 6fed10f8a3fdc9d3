/** Streamed text for reading: lines, and server-sent events (WHATWG HTML, section 9.2). */

/** More are in the raw body. */
export const SHOWN_MAX = 500;
/** The end of a longer text is read. */
const READ_MAX_CHARS = 200_000;

export interface StreamEvent {
  /** `message` if the stream names none. */
  readonly event: string;
  readonly id: string | null;
  readonly data: string;
}
export interface Shown<T> {
  readonly items: readonly T[];
  /** Whether earlier ones are left out. */
  readonly isCut: boolean;
}

/** The newest lines. A last one without an end is included. */
export function linesOf(text: string): Shown<string> {
  const { read, isCut } = endOf(text);
  const lines = read.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return { items: lines.slice(-SHOWN_MAX), isCut: isCut || lines.length > SHOWN_MAX };
}

/** The number of lines, with a last one without an end. */
export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return text === '' || text.endsWith('\n') ? count : count + 1;
}

/** The newest complete events. Comments and events without data are left out, as a browser does. */
export function eventsOf(text: string): Shown<StreamEvent> {
  const { read, isCut } = endOf(text);
  const blocks = read
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split(/\n\n+/);
  // An event ends with an empty line.
  blocks.pop();
  const events = blocks.flatMap(eventOf);
  return { items: events.slice(-SHOWN_MAX), isCut: isCut || events.length > SHOWN_MAX };
}

function eventOf(block: string): StreamEvent[] {
  const valuesOf = (wanted: string) =>
    block.split('\n').flatMap((line) => {
      const [, name, value] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? [];
      return name === wanted ? [value ?? ''] : [];
    });
  const data = valuesOf('data');
  if (data.length === 0) return [];
  return [{ event: valuesOf('event').at(-1) || 'message', id: valuesOf('id').at(-1) ?? null, data: data.join('\n') }];
}

/** The end of a text, from the beginning of a line. */
function endOf(text: string): { read: string; isCut: boolean } {
  if (text.length <= READ_MAX_CHARS) return { read: text, isCut: false };
  const end = text.slice(-READ_MAX_CHARS);
  return { read: end.slice(end.indexOf('\n') + 1), isCut: true };
}
