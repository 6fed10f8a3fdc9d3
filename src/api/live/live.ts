/**
 * How the screen follows the service.
 *
 * One event stream a tab (`/events:stream`) says which things changed; what is shown and concerns them is read again,
 * in rounds that keep a tab under two requests a second however much happens (live-rounds.ts). The browser resumes the
 * stream itself after a broken line (Last-Event-ID); where it gives up (an answer that isn't a stream), a new one is
 * opened with the last id in the query. `resync` means that some were missed: everything shown is read again. Only
 * while no stream is open does the tab poll.
 */
import { LIVE_EVENTS, type LiveChange } from '../../../contract/live.ts';
import { addressOf } from '../address.ts';
import { API_BASE, call } from '../client.ts';
import { queryClient } from '../query-client.ts';
import { sessionQuery } from '../session.ts';
import { noticeEnd, sessionEnd } from '../session-end.ts';
import { rememberSignedIn } from '../was-signed-in.ts';
import { type Rounds, startRounds } from './live-rounds.ts';
import { liveState } from './live-state.ts';

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
  const rounds = startRounds();

  function open() {
    source?.close();
    source = new EventSource(API_BASE + addressOf('eventStream', { query: { last_event_id: lastEventId } }));
    source.addEventListener(LIVE_EVENTS.hello, (event) => {
      remember(event);
      failures = 0;
      liveState.set('live');
      // what changed while polling was the only way may still be missing
      if (wasDown) rounds.readAll();
      wasDown = false;
    });
    source.addEventListener(LIVE_EVENTS.change, (event) => {
      remember(event);
      const changes: LiveChange[] = JSON.parse(event.data);
      rounds.add(changes);
    });
    source.addEventListener(LIVE_EVENTS.resync, (event) => {
      remember(event);
      rounds.readAll();
    });
    source.addEventListener('error', () => {
      wasDown = true;
      liveState.set(navigator.onLine ? 'reconnecting' : 'offline');
      if (source?.readyState !== EventSource.CLOSED) return;
      // refused, not unreachable: a session that has ended is noticed at once, not at the next poll
      if (failures === 0) void refreshIfAnswered(rounds);
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
    if (down && navigator.onLine && !document.hidden) void refreshIfAnswered(rounds);
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

  let hadEnded = sessionEnd.get();
  const unsubscribe = sessionEnd.subscribe(() => {
    // signed in again: the stream of the session that ended gets no other answer than 401
    if (hadEnded && !sessionEnd.get()) open();
    hadEnded = sessionEnd.get();
  });

  open();
  return () => {
    unsubscribe();
    source?.close();
    clearTimeout(reopen);
    clearInterval(poll);
    rounds.stop();
    listeners.abort();
    liveState.set('connecting');
  };
}

/** The stream is down: the service may be there all the same, or the session has ended. One question finds out. */
async function refreshIfAnswered(rounds: Rounds): Promise<void> {
  const reply = await call('sessionGet').catch(() => undefined);
  if (reply?.session) rounds.readAll();
  else if (reply) noticeEnd();
}
