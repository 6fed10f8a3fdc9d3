/**
 * How long it takes from a key to the painted results, in the real browser on the real console. Each letter is typed
 * between the signs of a literal or an expression, so that each is a search of its own in code. The next letter comes
 * when the results of the one before are painted: what is measured is the whole way of one keystroke, with the pause in
 * which faster letters are gathered.
 */
import { chromium } from '@playwright/test';
import { findChromium } from '../../scripts/chromium.ts';

export type Keystrokes = { typed: string; ms: number[] };
export type KeystrokeFigures = { count: number; p50: number; p95: number; slowest: number; by: Keystrokes[] };

export type KeystrokeOptions = {
  email: string;
  password: string;
  /** As a person would type them, with their signs: `"fetch("`, `/retry\d+/`, `order sync`. */
  queries: readonly string[];
  /** Whose functions; public ones, unless told otherwise. */
  owner?: 'SELF' | 'ALL';
  /** Letters of each query that are typed one by one; those before are there at once. */
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
      for (const letter of text.slice(there.length)) {
        await page.keyboard.type(letter);
        ms.push(await page.evaluate(() => (window as unknown as { painted: Promise<number> }).painted));
      }
      by.push({ typed, ms });
    }
    const all = by.flatMap(({ ms }) => ms).sort((a, b) => a - b);
    const at = (share: number) => all[Math.min(all.length - 1, Math.ceil(share * all.length) - 1)] ?? 0;
    return { count: all.length, p50: at(0.5), p95: at(0.95), slowest: at(1), by };
  } finally {
    await browser.close();
  }
}

/** In the page: `painted` is how long the newest letter took, once its results, or what is wrong with it, are on the screen. */
function watchPaints(): void {
  window.addEventListener(
    'input',
    (event) => {
      const input = event.target as HTMLInputElement;
      const from = event.timeStamp;
      const painted = new Promise<number>((resolve) => {
        const look = () => {
          const isThere =
            document.querySelector('[data-shown]')?.getAttribute('data-shown') === input.value ||
            document.querySelector('[data-mistake]')?.getAttribute('data-mistake') === input.value;
          if (!isThere) return;
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
  console.table(by.map(({ typed, ms }) => ({ typed, ms: ms.map(Math.round).join(' ') })));
  console.log(figures);
}
