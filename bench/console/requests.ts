/**
 * Counts API requests per second of one tab while 50 events per second arrive, each of which starts a function run. It
 * opens the pages with lists, at their top and scrolled. Run it with `npm run build && node bench/console/requests.ts`.
 */
import { pause } from '../hosted/host.ts';
import { openConsole } from './opened.ts';

const PER_SECOND = 50;
const SECONDS = 10;
/** Time for the requests of the page load. */
const SETTLE_MS = 4_000;

const opened = await openConsole();
try {
  const { host, trigger_id } = opened;
  const fn = await host.publish(`export default { async fetch() { console.log('called'); return new Response(); } };`);
  const made = await host.service.call('POST', `/triggers/${trigger_id}/destinations`, { name: 'own', url: fn.url });
  if (made.status !== 200) throw new Error(JSON.stringify(made.body));
  await opened.send(300, 100);
  const page = await opened.newPage();
  let paths: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) paths.push(pathname.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID'));
  });
  const lists = [
    '/',
    '/events',
    '/runs',
    '/triggers',
    '/replays',
    ...['runs', 'logs'].map((tab) => `/functions/${fn.function_id}/${tab}`),
  ];
  let isOver = false;
  const load = (async () => {
    while (!isOver) await opened.send(PER_SECOND, PER_SECOND);
  })();
  for (const path of lists)
    for (const scrolled of [false, true]) {
      await page.goto(opened.url + path);
      await pause(SETTLE_MS);
      if (scrolled) {
        await page.mouse.move(720, 600);
        await page.mouse.wheel(0, 2_000);
        await pause(1_000);
      }
      paths = [];
      const startMs = performance.now();
      await pause(SECONDS * 1_000);
      const rate = paths.length / ((performance.now() - startMs) / 1_000);
      const counts = Object.entries(Object.groupBy(paths, (each) => each)).map(
        ([each, all]) => `${each} ×${all?.length}`,
      );
      console.log(
        `${path.replace(fn.function_id, 'ID')}${scrolled ? ', scrolled' : ''}: ${rate.toFixed(1)} requests/s (${counts.join(', ')})`,
      );
    }
  isOver = true;
  await load;
} finally {
  await opened.stop();
}
