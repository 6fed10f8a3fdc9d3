/**
 * Measures the time until an open page shows a change or deletion made elsewhere, on an idle service: right after the
 * page loaded, and at rest. Run it with `npm run build && node bench/console/elsewhere.ts`.
 */
import type { Page } from '@playwright/test';
import { pause } from '../hosted/host.ts';
import { quantile } from '../quantile.ts';
import { openConsole } from './opened.ts';

const ROUNDS = 5;
const REST_MS = 3_000;

const opened = await openConsole();
try {
  const { host, url } = opened;
  const page = await opened.newPage();
  const api = async <T>(method: string, path: string, body?: unknown) => {
    const reply = await host.service.call<T>(method, path, body);
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status}`);
    return reply.body;
  };
  const shown: Record<string, number[]> = {};
  const note = (name: string, ms: number) => {
    shown[name] = [...(shown[name] ?? []), ms];
  };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const when of ['right after load', 'at rest']) {
      const { trigger } = await api<{ trigger: { trigger_id: string } }>('POST', '/triggers', {
        name: 'open',
        source: 'webhook',
        event_type: 'webhook.received',
      });
      const path = `/triggers/${trigger.trigger_id}`;
      const open = async () => {
        await page.goto(`${url}${path}/settings`);
        await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
        await page.getByText('Live', { exact: true }).first().waitFor();
        if (when === 'at rest') await pause(REST_MS);
      };
      await open();
      note(`changed, ${when}`, await until(page, 'input', 'renamed', () => api('PATCH', path, { name: 'renamed' })));
      await open();
      note(`deleted, ${when}`, await until(page, 'body', 'This trigger was deleted', () => api('DELETE', path)));
    }
  for (const [name, times] of Object.entries(shown))
    console.log(`${name}: p50 ${quantile(times, 0.5)} ms, max ${Math.max(...times)} ms of ${times.length}`);
} finally {
  await opened.stop();
}

/** Milliseconds from the request of the change until the page shows the text. */
async function until(page: Page, selector: string, text: string, change: () => Promise<unknown>): Promise<number> {
  const seen = page.evaluate(
    ([within, wanted]) =>
      new Promise<number>((done) => {
        const look = () => {
          const found = [...document.querySelectorAll(within as string)].some((element) =>
            (element instanceof HTMLInputElement ? element.value : (element.textContent ?? '')).includes(
              wanted as string,
            ),
          );
          if (found) done(Date.now());
          else requestAnimationFrame(look);
        };
        look();
      }),
    [selector, text],
  );
  const startedAt = Date.now();
  await change();
  return (await seen) - startedAt;
}
