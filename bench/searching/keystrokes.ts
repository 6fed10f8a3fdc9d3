/**
 * Measures the time from a key press to painted results, in a browser on the built console. Each letter is typed
 * between the delimiters of a literal or an expression, so that each starts a separate code search. The next letter is
 * typed when the results of the previous one are painted, so the time includes the debounce delay. Also measures the
 * CPU time of the page's main thread per key press, until the page is idle.
 */
import { type CDPSession, chromium } from '@playwright/test';
import { findChromium } from '../../scripts/chromium.ts';
import { quantile } from '../quantile.ts';

/** `busyMs`: CPU time of the page's main thread for each key press. */
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
  /** As typed, with delimiters: `"fetch("`, `/retry\d+/`, `order sync`. */
  queries: readonly string[];
  /** `ALL` by default: public functions. */
  owner?: 'SELF' | 'ALL';
  /** Number of letters at the end of each query that are typed one by one; the others are typed at once. */
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
    if (!signedIn.ok()) throw new Error(`sign-in to ${origin} failed: ${signedIn.status()} ${await signedIn.text()}`);
    await page.addInitScript(watchPaints);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const whenIdle = () =>
      page.evaluate(() => new Promise<void>((idle) => requestAnimationFrame(() => requestIdleCallback(() => idle()))));
    const by: Keystrokes[] = [];
    for (const typed of queries) {
      const delimiter = /^(["/]).*\1$/s.exec(typed)?.[1] ?? '';
      const text = delimiter ? typed.slice(1, -1) : typed;
      const prefix = text.slice(0, Math.max(1, text.length - last));
      await page.goto(
        `${origin}/functions/search?${new URLSearchParams({ q: delimiter + prefix + delimiter, owner })}`,
      );
      const box = page.getByRole('textbox', { name: 'Search functions and code' });
      await page.locator('[data-shown]').waitFor();
      await box.focus();
      await box.evaluate(
        (input: HTMLInputElement, at) => input.setSelectionRange(at, at),
        delimiter.length + prefix.length,
      );
      const ms: number[] = [];
      const busyMs: number[] = [];
      for (const letter of text.slice(prefix.length)) {
        await whenIdle();
        const before = await cpuMs(devtools);
        await page.keyboard.type(letter);
        ms.push(await page.evaluate(() => (window as unknown as { painted: Promise<number> }).painted));
        await whenIdle();
        busyMs.push((await cpuMs(devtools)) - before);
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

/** Total CPU milliseconds of the page's main thread. */
async function cpuMs(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
}

/** Runs in the page. `painted` resolves with the time from the newest letter to its painted results or error. */
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
            // runs after the frame that shows the results
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
