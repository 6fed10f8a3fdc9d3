/**
 * What the live stream says. A change names an operation's noun and the ids to look up; the console reads what it needs
 * again. Small on purpose: no payloads, no secrets. Zod-free.
 */
export type LiveChange =
  | { noun: 'event'; event_id: string; trigger_id: string }
  | { noun: 'delivery'; event_id: string; trigger_id: string; delivery_id: string; status: string }
  | { noun: 'run'; run_id: string; function_id: string; status: string }
  | { noun: 'connection'; connection_id: string; status: string }
  /** Calls went through the gateway with it: once a second at most, however many. */
  | { noun: 'call'; connection_id: string }
  | { noun: 'trigger'; trigger_id: string }
  | { noun: 'rejection'; trigger_id: string }
  | { noun: 'replay'; replay_id: string; status: string }
  | { noun: 'function'; function_id: string }
  | { noun: 'account' };

/** Names of server-sent events: `change` carries LiveChange[]; `resync`: some were missed, read everything again. */
export const LIVE_EVENTS = { change: 'change', resync: 'resync', hello: 'hello' } as const;

/** Of the tail of a function's logs: `lines` carries FunctionLogEvent[]; `gap` says that lines were left out. */
export const TAIL_EVENTS = { hello: 'hello', lines: 'lines', gap: 'gap' } as const;

/**
 * Of a search that is answered as a stream: `results` carries the reply as far as it is known, `done` the whole of it,
 * and nothing follows. `error`, instead of `done`, carries the body of an error.
 */
export const SEARCH_EVENTS = { results: 'results', done: 'done', error: 'error' } as const;
