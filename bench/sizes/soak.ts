/** Memory of the service and its database under a steady rate of events. */
import { descendants } from '../../server/test/spawned.ts';
import { startSluice } from '../deliveries/contestant.ts';
import { type Receiver, send } from '../deliveries/load.ts';
import { pssMb } from '../hosted/host.ts';
import { median } from '../measure.ts';

const STEP_SECONDS = 30;

export type Soak = {
  seconds: number;
  perSecond: number;
  acknowledged: number;
  lost: number;
  /** Medians of the second and the last quarter of the time: the first one fills caches. */
  serviceMb: [early: number, late: number];
  databaseMb: [early: number, late: number];
};

export async function soak(receiver: Receiver, perSecond: number, seconds: number): Promise<Soak> {
  const sluice = await startSluice(receiver.url);
  const memory: { service: number; database: number }[] = [];
  let acknowledged = 0;
  try {
    for (let from = 0; from < seconds; from += STEP_SECONDS) {
      const sent = await send(receiver, sluice.target, { seconds: Math.min(STEP_SECONDS, seconds - from), perSecond });
      acknowledged += sent.acknowledged;
      const servers = descendants(sluice.pid).filter(({ command }) => command.includes('postgres'));
      memory.push({
        service: pssMb(sluice.pid),
        database: servers.reduce((sum, { pid }) => sum + pssMb(pid), 0),
      });
    }
    const lost = acknowledged - (await sluice.recorded());
    const quarter = Math.ceil(memory.length / 4);
    const ofQuarters = (part: 'service' | 'database'): [number, number] => {
      const values = memory.map((each) => each[part]);
      return [median(values.slice(quarter, 2 * quarter)), median(values.slice(-quarter))];
    };
    return {
      seconds,
      perSecond,
      acknowledged,
      lost,
      serviceMb: ofQuarters('service'),
      databaseMb: ofQuarters('database'),
    };
  } finally {
    await sluice.stop();
  }
}
