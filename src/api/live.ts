/**
 * How the screen follows the service.
 *
 * One event stream a tab (`/events:stream`) says which things changed; what is on the screen and concerns them is asked
 * for again. Changes are gathered for a moment, so that a burst costs one round of questions. The browser resumes the
 * stream itself after a broken line (Last-Event-ID); where it gives up (an answer that isn't a stream), a new one is
 * opened with the last id in the query. `resync` means that some were missed: everything shown is asked again. Only
 * while no stream stands does the tab poll.
 */
import { LIVE_EVENTS, type LiveChange } from '../../contract/live.ts';
import { addressOf } from './address.ts';
import { API_BASE, call } from './client.ts';
import { applyChanges, refreshAll } from './live-changes.ts';
import { liveState } from './live-state.ts';
import { queryClient } from './query-client.ts';
import { sessionQuery } from './session.ts';
import { rememberSignedIn } from './was-signed-in.ts';

const GATHER_MS = 60;
const PAUSE_MS = 600;
const REOPEN_MS = [500, 1_000, 2_000, 5_000, 10_000] as const;
const POLL_MS = 5_000;

/** Follows until the returned function is called. */
export function followLive(): () => void {
  rememberSignedIn();
  let source: EventSource | undefined;
  // From where the session was asked for, which was before anything that is shown now.
  let lastEventId = queryClient.getQueryData(sessionQuery.queryKey)?.session?.live_position;
  let failures = 0;
  let reopen: ReturnType<typeof setTimeout> | undefined;
  let wasDown = false;
  const gathered = gather();

  function open() {
    source?.close();
    source = new EventSource(API_BASE + addressOf('eventStream', { query: { last_event_id: lastEventId } }));
    source.addEventListener(LIVE_EVENTS.hello, (event) => {
      remember(event);
      failures = 0;
      liveState.set('live');
      // what changed while polling was the only way may still be missing
      if (wasDown) refreshAll();
      wasDown = false;
    });
    source.addEventListener(LIVE_EVENTS.change, (event) => {
      remember(event);
      gathered.add(JSON.parse(event.data) as LiveChange[]);
    });
    source.addEventListener(LIVE_EVENTS.resync, (event) => {
      remember(event);
      refreshAll();
    });
    source.addEventListener('error', () => {
      wasDown = true;
      liveState.set(navigator.onLine ? 'reconnecting' : 'offline');
      if (source?.readyState !== EventSource.CLOSED) return;
      clearTimeout(reopen);
      reopen = setTimeout(open, REOPEN_MS[Math.min(failures, REOPEN_MS.length - 1)]);
      failures += 1;
    });
  }
  function remember(event: MessageEvent) {
    if (event.lastEventId) lastEventId = event.lastEventId;
  }

  const poll = setInterval(() => {
    const down = liveState.get() === 'reconnecting';
    if (down && navigator.onLine && !document.hidden) void refreshIfAnswered();
  }, POLL_MS);
  const listeners = new AbortController();
  window.addEventListener('offline', () => liveState.set('offline'), listeners);
  window.addEventListener(
    'online',
    () => {
      liveState.set('reconnecting');
      open();
    },
    listeners,
  );

  open();
  return () => {
    source?.close();
    clearTimeout(reopen);
    clearInterval(poll);
    gathered.stop();
    listeners.abort();
    liveState.set('connecting');
  };
}

/** The stream is down; the service may be there all the same. One question finds out, before all are asked. */
async function refreshIfAnswered(): Promise<void> {
  const session = await call('sessionGet').catch(() => undefined);
  if (session) refreshAll();
}

/** The first change of a burst goes through almost at once, the rest together after a pause. */
function gather() {
  let waiting: LiveChange[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let restUntil = 0;

  function flush() {
    timer = undefined;
    restUntil = performance.now() + PAUSE_MS;
    const taken = waiting;
    waiting = [];
    void applyChanges(taken);
  }
  return {
    add(changes: readonly LiveChange[]) {
      waiting.push(...changes);
      timer ??= setTimeout(flush, Math.max(GATHER_MS, restUntil - performance.now()));
    },
    stop: () => clearTimeout(timer),
  };
}
