import { useEffect, useState } from 'react';
import { TAIL_EVENTS } from '../../../contract/live.ts';
import { API_BASE } from '../../api/client.ts';
import type { FunctionLogEvent, LogEvent, Run } from '../../api/entities.ts';
import { requestPath } from '../../api/request-path.ts';

/** The number of recent lines kept while a run is in progress. All can be fetched after it has ended. */
const LINES_MAX = 1_000;
/** Allowance for clock skew between the log lines and the run. */
const EARLIER_MS = 2_000;

const NONE: readonly FunctionLogEvent[] = [];

/**
 * The log lines of a run, streamed while it is in progress. `known` are the lines fetched from the API. They are used
 * once the run has ended and they include all streamed lines.
 */
export function useRunTail(run: Run | undefined, known: readonly LogEvent[]) {
  const [lines, setLines] = useState(NONE);
  const { function_id, run_id, version, created_at } = run ?? {};
  const going = run?.status === 'RUNNING';
  useEffect(() => {
    if (!going || function_id === undefined || created_at === undefined) return;
    const query = { version, start_time: Date.parse(created_at) - EARLIER_MS };
    const source = new EventSource(API_BASE + requestPath('functionLogTail', { params: { function_id }, query }));
    source.addEventListener(TAIL_EVENTS.lines, (event) => {
      const mine = (JSON.parse(event.data) as FunctionLogEvent[]).filter((line) => line.run_id === run_id);
      if (mine.length > 0) setLines((known) => joined(known, mine));
    });
    return () => source.close();
  }, [going, function_id, run_id, version, created_at]);
  const tail = lines[0]?.run_id === run_id ? lines : NONE;
  const reach = (tail.at(-1)?.seq ?? -1) + 1;
  const following = tail.length > 0 && (going || known.length < Math.min(reach, LINES_MAX));
  return { events: following ? tail : known, first: following ? (tail[0]?.seq ?? 0) + 1 : 1, going };
}

/** Appends lines, without those repeated after a reconnect. */
function joined(known: readonly FunctionLogEvent[], more: readonly FunctionLogEvent[]): readonly FunctionLogEvent[] {
  if (known[0]?.run_id !== more[0]?.run_id) return more;
  const last = known.at(-1)?.seq ?? -1;
  return [...known, ...more.filter(({ seq }) => seq > last)].slice(-LINES_MAX);
}
