import type { Neighbours, News } from '../lib/neighbours.ts';
import type { Db } from '../store/schema.ts';

/** By database, as each service of a process has its own. */
const voices = new WeakMap<Db, Neighbours>();

/** From now on what is told of this database is told to these. */
export function giveVoice(db: Db, neighbours: Neighbours): void {
  voices.set(db, neighbours);
}

/** Tells the other nodes, if there are any. To be called after the commit. */
export function tell(db: Db, news: News): void {
  voices.get(db)?.tell(news);
}
