/**
 * Live updates.
 *
 * One event stream per tab (`/events:stream`) names the resources that changed. Displayed data about them is refetched
 * in rounds that keep a tab below two requests per second (live-rounds.ts). The browser resumes a broken stream with
 * Last-Event-ID. If it gives up because the response is not a stream, a new stream is opened with the last id in the
 * query. `resync` means that changes were missed, so all displayed data is refetched. The tab polls only while no
 * stream is open.
 */
import { LIVE_EVENTS, type LiveChange } from '../../../contract/live.ts';
import { API_BASE, call } from '../client.ts';
import { queryClient } from '../query-client.ts';
import { requestPath } from '../request-path.ts';
import { sessionQuery } from '../session.ts';
import { noticeEnd, sessionEnd } from '../session-end.ts';
import { rememberSignedIn } from '../was-signed-in.ts';
import { noteExports } from './export-progress.ts';
import { type Rounds, startRounds } from './live-rounds.ts';
import { liveState } from './live-state.ts';

const REOPEN_MS = [500, 1_000, 2_000, 5_000, 10_000] as const;
const POLL_MS = 5_000;

/** Starts live updates; returns the function that stops them. */
export function followLive(): () => void {
  rememberSignedIn();
  let source: EventSource | undefined;
  // The position of the session request, which precedes all data displayed now.
  let lastEventId = queryClient.getQueryData(sessionQuery.queryKey)?.session?.live_position;
  let failures = 0;
  let reopen: ReturnType<typeof setTimeout> | undefined;
  let wasDown = false;
  const rounds = startRounds();

  function open() {
    source?.close();
    source = new EventSource(API_BASE + requestPath('eventStream', { query: { last_event_id: lastEventId } }));
    source.addEventListener(LIVE_EVENTS.hello, (event) => {
      remember(event);
      failures = 0;
      liveState.set('live');
      // changes since the last poll may be missing
      if (wasDown) rounds.readAll();
      wasDown = false;
    });
    source.addEventListener(LIVE_EVENTS.change, (event) => {
      remember(event);
      const changes: LiveChange[] = JSON.parse(event.data);
      noteExports(changes);
      rounds.add(changes.filter(({ noun }) => noun !== 'export'));
    });
    source.addEventListener(LIVE_EVENTS.resync, (event) => {
      remember(event);
      rounds.readAll();
    });
    source.addEventListener('error', () => {
      wasDown = true;
      liveState.set(navigator.onLine ? 'reconnecting' : 'offline');
      if (source?.readyState !== EventSource.CLOSED) return;
      // the service is reachable, so the session may have expired: check now, not at the next poll
      if (failures === 0) void refreshIfReachable(rounds);
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
    if (down && navigator.onLine && !document.hidden) void refreshIfReachable(rounds);
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
    // signed in again: the old session's stream would only get 401
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

/** While the stream is down: refetches if the service is reachable, or reports that the session has ended. */
async function refreshIfReachable(rounds: Rounds): Promise<void> {
  const reply = await call('sessionGet').catch(() => undefined);
  if (reply?.session) rounds.readAll();
  else if (reply) noticeEnd();
}
