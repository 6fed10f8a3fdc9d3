/** `npm run release`: ends the hold of the installation; its services act within a second, or from their next start on. */
import { backlog } from '../server/deliveries/store/queue/waiting-deliveries.ts';
import { readHold, release } from '../server/platform/hold.ts';
import { onDatabase, runScript } from './on-database.ts';

runScript(() =>
  onDatabase('release', async (db) => {
    const hold = await readHold(db);
    if (!hold || !(await release(db))) {
      console.error('This installation is not on hold.');
      return 1;
    }
    const { waiting } = await backlog(db);
    const origin = hold.origin === null ? '' : ` (import of ${hold.origin})`;
    console.log(`Released. It was on hold since ${hold.since}${origin}. Deliveries that waited: ${waiting}`);
    return 0;
  }),
);
