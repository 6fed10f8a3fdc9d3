/** The trace context of a request, by W3C Trace Context: the headers `traceparent` and `tracestate`. */

/** `traceparent` in version 00. `tracestate` as received; null if there is none, or if it was dropped. */
export type Trace = { traceparent: string; tracestate: string | null };

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Version, trace id, parent id and flags. A later version may add fields, which are not read. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[\x21-\x7e]*)?$/;
const LONGEST = 512;
/** The flags that are defined: sampled, and random trace id. */
const KNOWN_FLAGS = 0b11;

/** The trace context in headers with names in lower case; undefined without a valid `traceparent`. */
export function traceIn(headers: Headers): Trace | undefined {
  const given = headers['traceparent'];
  if (given === undefined) return undefined;
  const state = headers['tracestate'];
  return readTrace(given, Array.isArray(state) ? state.join(',') : (state as string | undefined));
}

/** The same in alternating names and values, or in pairs. A repeated `traceparent` is invalid. */
export function traceOfPairs(pairs: readonly (readonly [name: string, value: string])[]): Trace | undefined {
  const valuesOf = (wanted: string) =>
    pairs.flatMap(([name, value]) => (name.length === wanted.length && name.toLowerCase() === wanted ? [value] : []));
  const given = valuesOf('traceparent');
  if (given.length !== 1) return undefined;
  const states = valuesOf('tracestate');
  return readTrace(given[0], states.length > 0 ? states.join(',') : undefined);
}

function readTrace(given: unknown, state: string | undefined): Trace | undefined {
  if (typeof given !== 'string' || given.length > LONGEST) return undefined;
  const [, version, trace_id = '', parent_id = '', flags = '', more] = TRACEPARENT.exec(given.trim()) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(trace_id) || /^0+$/.test(parent_id)) return undefined;
  const known = (Number.parseInt(flags, 16) & KNOWN_FLAGS).toString(16).padStart(2, '0');
  return { traceparent: `00-${trace_id}-${parent_id}-${known}`, tracestate: readState(state) };
}

/** At least 512 characters have to be sent on (section 3.3.1.5 of the specification); a longer one is dropped whole. */
function readState(state: string | undefined): string | null {
  const text = state?.trim() ?? '';
  return text !== '' && text.length <= LONGEST && /^[\x20-\x7e\t]+$/.test(text) ? text : null;
}

/** The id of the trace: 32 hexadecimal digits. */
export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);

/** The headers that send the context on. */
export function traceHeaders({ traceparent, tracestate }: Trace): Record<string, string> {
  return tracestate === null ? { traceparent } : { traceparent, tracestate };
}

const TRACE_HEADER = /^trace(?:parent|state)$/i;

/** The headers with this context, which replaces the one they have. */
export function withTrace(
  headers: readonly (readonly [name: string, value: string])[],
  trace: Trace,
): (readonly [name: string, value: string])[] {
  return [...headers.filter(([name]) => !TRACE_HEADER.test(name)), ...Object.entries(traceHeaders(trace))];
}

/** The same in alternating names and values; changes the list. */
export function replaceTrace(flat: string[], trace: Trace): void {
  for (let i = flat.length - 2; i >= 0; i -= 2) if (TRACE_HEADER.test(flat[i] ?? '')) flat.splice(i, 2);
  for (const [name, value] of Object.entries(traceHeaders(trace))) flat.push(name, value);
}
