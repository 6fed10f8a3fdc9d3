/** Sources that send events at a rate to any of the nodes, and send again to another one what was not acknowledged. */
import type { Receiver } from '../deliveries/load.ts';
import { messageOf } from '../deliveries/message.ts';
import type { Target } from './made.ts';

const PER_SECOND = 100;
const AGAIN_MS = 100;
const LOOK_MS = 20;
/** No more after this time: something was lost. */
const PATIENCE_MS = 120_000;

export type Sources = {
  /** Sends to these addresses from now on. */
  sendTo(urls: readonly string[]): void;
  /** Stops to send; resolves when all that was acknowledged has arrived. */
  pause(): Promise<void>;
  /** Resolves when all events that are acknowledged now have arrived. */
  settled(): Promise<void>;
  /** Sends one event to this address, and not again; returns the status. */
  tryOnce(url: string): Promise<number>;
  report(): string;
};

export function startSources(targets: readonly Target[], receiver: Receiver): Sources {
  let seq = 0;
  let sentAgain = 0;
  let urls: readonly string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const acknowledged = new Set<number>();
  const going = new Set<Promise<void>>();

  async function post(url: string, n: number): Promise<number> {
    const { body, headers } = messageOf(n);
    const answer = await fetch(url + (targets[n % targets.length]?.path ?? ''), { method: 'POST', headers, body });
    await answer.arrayBuffer();
    return answer.status;
  }

  async function one(n: number): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const status = await post(urls[(n + attempt) % urls.length] ?? '', n).catch(() => 0);
      if (status === 200) break;
      sentAgain++;
      await new Promise((ok) => setTimeout(ok, AGAIN_MS));
    }
    acknowledged.add(n);
  }

  const lost = (of: Iterable<number>) => [...of].filter((n) => !receiver.arrivedMs[n]);

  async function settled(): Promise<void> {
    const startMs = performance.now();
    for (let open = lost(acknowledged); open.length > 0; open = lost(open)) {
      if (performance.now() - startMs > PATIENCE_MS) throw new Error(`${open.length} events were lost`);
      await new Promise((ok) => setTimeout(ok, LOOK_MS));
    }
  }

  return {
    sendTo(given) {
      urls = given;
      timer ??= setInterval(() => {
        const work = one(seq++).finally(() => going.delete(work));
        going.add(work);
      }, 1000 / PER_SECOND);
    },
    async pause() {
      clearInterval(timer);
      timer = undefined;
      await Promise.all(going);
      await settled();
    },
    settled,
    tryOnce: (url) => post(url, seq++),
    report() {
      const { again } = receiver.counts;
      return `${acknowledged.size} acknowledged, ${sentAgain} sent again by the source, ${again} received twice`;
    },
  };
}
