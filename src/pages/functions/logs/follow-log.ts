/**
 * Follows a function's log in the browser. The stream opens first, and stored lines are read after its hello message,
 * so that no line is missed in between. After an interruption the browser resumes with the last ID; the service then
 * repeats a few lines, which the buffer removes.
 */
import { TAIL_EVENTS } from '../../../../contract/live.ts';
import type { LogLevel } from '../../../../contract/states.ts';
import { toApiError } from '../../../api/api-error.ts';
import { API_BASE, call } from '../../../api/client.ts';
import type { FunctionLogEvent } from '../../../api/entities.ts';
import { requestPath } from '../../../api/request-path.ts';
import type { LogBuffer } from './log-buffer.ts';

export interface LogView {
  readonly functionId: string;
  readonly filter_pattern: string | undefined;
  readonly version: string | undefined;
  readonly level: LogLevel | undefined;
  readonly show: 'all' | undefined;
}
export type FollowState = 'connecting' | 'live' | 'reconnecting';
export interface Following {
  readonly onState: (state: FollowState) => void;
  /** The stored lines are read; `older` is the token of the lines before. */
  readonly onRead: (older: string | null) => void;
  readonly onError: (error: ReturnType<typeof toApiError>) => void;
}

export const PAGE = 500;
const REOPEN_MS = 2_000;

/** Delivers the newest lines, then every later one, until the returned function is called. */
export function followLog(view: LogView, buffer: LogBuffer, { onState, onRead, onError }: Following): () => void {
  const params = { function_id: view.functionId };
  const { functionId: _, ...query } = view;
  let stopped = false;
  let source: EventSource;
  let lastId: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function read() {
    try {
      const page = await call('functionLogList', { params, query: { ...query, order: 'newest', limit: PAGE } });
      if (stopped) return;
      buffer.add(page.events);
      onRead(page.next_token);
    } catch (thrown) {
      if (!stopped) onError(toApiError(thrown));
    }
  }
  function remember(event: MessageEvent) {
    if (event.lastEventId) lastId = event.lastEventId;
  }
  function open() {
    const isFirst = lastId === undefined;
    let greeted = false;
    source = new EventSource(
      API_BASE + requestPath('functionLogTail', { params, query: { ...query, last_event_id: lastId } }),
    );
    source.addEventListener(TAIL_EVENTS.hello, (event) => {
      remember(event);
      onState('live');
      if (isFirst && !greeted) void read();
      greeted = true;
    });
    source.addEventListener(TAIL_EVENTS.lines, (event) => {
      remember(event);
      buffer.add(JSON.parse(event.data) as FunctionLogEvent[]);
    });
    source.addEventListener(TAIL_EVENTS.gap, () => {
      buffer.clear();
      void read();
    });
    source.addEventListener('error', () => {
      onState('reconnecting');
      if (source.readyState !== EventSource.CLOSED || stopped) return;
      // The response is not a stream: an ordinary request returns the error.
      if (!greeted) void read();
      timer = setTimeout(open, REOPEN_MS);
    });
  }
  open();
  return () => {
    stopped = true;
    clearTimeout(timer);
    source.close();
  };
}
