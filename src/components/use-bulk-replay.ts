import { useRef, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { putEvent } from '../api/live-lists.ts';
import { plural } from '../lib/format.ts';
import { toast } from '../ui/toast.ts';
import type { EventIds, ReplayBody } from './use-replay.ts';

export interface BulkReplay {
  /** Undefined while none is under way. */
  readonly progress: { readonly done: number; readonly total: number } | undefined;
  readonly start: (events: readonly EventIds[], body: ReplayBody) => void;
  /** What went out stays out; the rest isn't sent. */
  readonly stop: () => void;
}

const pause = (ms: number) => new Promise((ok) => setTimeout(ok, ms));

/** The service takes only so many calls a second: waits as long as it says. */
async function replayOne({ trigger_id, event_id }: EventIds, body: ReplayBody): Promise<void> {
  for (;;) {
    try {
      const { event } = await call('eventReplay', { params: { trigger_id, event_id }, body });
      putEvent(event);
      return;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      await pause(error.retryAfterMs ?? 1_000);
    }
  }
}

/** Replays picked events one after the other, from this tab; says at the end what went out and what was refused. */
export function useBulkReplay(onEnd: () => void): BulkReplay {
  const [progress, setProgress] = useState<BulkReplay['progress']>();
  const stopped = useRef(false);

  const run = async (events: readonly EventIds[], body: ReplayBody) => {
    stopped.current = false;
    const refused: string[] = [];
    let done = 0;
    for (const event of events) {
      if (stopped.current) break;
      setProgress({ done, total: events.length });
      await replayOne(event, body).catch((error: unknown) => {
        refused.push(error instanceof Error ? error.message : String(error));
      });
      done += 1;
    }
    setProgress(undefined);
    const sent = done - refused.length;
    const left = events.length - done;
    toast({
      title: `${plural(sent, 'event')} replayed${left > 0 ? `, ${left} left as they were` : ''}`,
      description: refused.length > 0 ? `${refused.length} refused: ${refused[0]}` : undefined,
      tone: refused.length > 0 ? 'bad' : 'ok',
    });
    onEnd();
  };
  return {
    progress,
    start: (events, body) => void run(events, body),
    stop: () => {
      stopped.current = true;
    },
  };
}
