/**
 * How long it takes from a key to the painted results, in the real browser on the real console. Each letter is typed
 * between the signs of a literal or an expression, so that each causes a separate search in code. The next letter comes
 * when the results of the one before are painted: what is measured is the whole way of one keystroke, with the pause in
 * which faster letters are gathered. Also measured: the CPU time of the page's one thread per keystroke, until the page
 * has nothing more to do.
 */
import { type CDPSession, chromium } from '@playwright/test';
import { findChromium } from '../../scripts/chromium.ts';
import { quantile } from '../quantile.ts';

/** `busyMs`: CPU of the page's thread: all that a keystroke made it do. */
export type Keystrokes = { typed: string; ms: number[]; busyMs: number[] };
export type KeystrokeFigures = {
  count: number;
  p50: number;
  p95: number;
  slowest: number;
  busy: { p50: number; p95: number };
  by: Keystrokes[];
};

export type KeystrokeOptions = {
  email: string;
  password: string;
  /** As a person would type them, with their signs: `"fetch("`, `/retry\d+/`, `order sync`. */
  queries: readonly string[];
  /** Whose functions; public ones, by default. */
  owner?: 'SELF' | 'ALL';
  /** Letters of each query that are typed one by one; those before are typed at once. */
  last?: number;
};

/** Types the queries into the search of the console at `consoleUrl`. */
export async function measureKeystrokes(consoleUrl: string, options: KeystrokeOptions): Promise<KeystrokeFigures> {
  const { email, password, queries, owner = 'ALL', last = 6 } = options;
  const executablePath = findChromium();
  const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ['--disable-gpu'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const origin = new URL(consoleUrl).origin;
    const signedIn = await page.request.post(`${origin}/api/session`, {
      data: { email, password },
      headers: { origin },
    });
    if (!signedIn.ok()) throw new Error(`signing in to ${origin}: ${signedIn.status()} ${await signedIn.text()}`);
    await page.addInitScript(watchPaints);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const whenIdle = () =>
      page.evaluate(() => new Promise<void>((idle) => requestAnimationFrame(() => requestIdleCallback(() => idle()))));
    const by: Keystrokes[] = [];
    for (const typed of queries) {
      const sign = /^(["/]).*\1$/s.exec(typed)?.[1] ?? '';
      const text = sign ? typed.slice(1, -1) : typed;
      const there = text.slice(0, Math.max(1, text.length - last));
      await page.goto(`${origin}/functions/search?${new URLSearchParams({ q: sign + there + sign, owner })}`);
      const box = page.getByRole('textbox', { name: 'Search functions and code' });
      await page.locator('[data-shown]').waitFor();
      await box.focus();
      await box.evaluate((input: HTMLInputElement, at) => input.setSelectionRange(at, at), sign.length + there.length);
      const ms: number[] = [];
      const busyMs: number[] = [];
      for (const letter of text.slice(there.length)) {
        await whenIdle();
        const before = await busy(devtools);
        await page.keyboard.type(letter);
        ms.push(await page.evaluate(() => (window as unknown as { painted: Promise<number> }).painted));
        await whenIdle();
        busyMs.push((await busy(devtools)) - before);
      }
      by.push({ typed, ms, busyMs });
    }
    const all = by.flatMap(({ ms }) => ms);
    const busyAll = by.flatMap(({ busyMs }) => busyMs);
    return {
      count: all.length,
      p50: quantile(all, 0.5),
      p95: quantile(all, 0.95),
      slowest: quantile(all, 1),
      busy: { p50: quantile(busyAll, 0.5), p95: quantile(busyAll, 0.95) },
      by,
    };
  } finally {
    await browser.close();
  }
}

/** CPU time of the page's thread, in all. */
async function busy(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
}

/** In the page: `painted` is how long the newest letter took until its results, or an error, are on the screen. */
function watchPaints(): void {
  window.addEventListener(
    'input',
    (event) => {
      const input = event.target as HTMLInputElement;
      const from = event.timeStamp;
      const painted = new Promise<number>((resolve) => {
        const look = () => {
          const isListed =
            document.querySelector('[data-shown]')?.getAttribute('data-shown') === input.value ||
            document.querySelector('[data-mistake]')?.getAttribute('data-mistake') === input.value;
          if (!isListed) return;
          watcher.disconnect();
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            // behind the frame that shows them
            port1.onmessage = () => resolve(performance.now() - from);
            port2.postMessage(null);
          });
        };
        const watcher = new MutationObserver(look);
        watcher.observe(document, { subtree: true, childList: true, attributes: true });
      });
      Object.assign(window, { painted });
    },
    true,
  );
}

if (import.meta.main) {
  const [url = 'http://localhost:4400', email = '', password = '', ...queries] = process.argv.slice(2);
  const { by, ...figures } = await measureKeystrokes(url, {
    email,
    password,
    queries: queries.length > 0 ? queries : ['"addEventListener"', '/\\.then\\(\\w+/', 'order sync'],
  });
  const row = (all: readonly number[]) => all.map(Math.round).join(' ');
  console.table(by.map(({ typed, ms, busyMs }) => ({ typed, ms: row(ms), busyMs: row(busyMs) })));
  console.log(figures);
}
