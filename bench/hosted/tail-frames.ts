/**
 * The live tail of the console, for a function that logs a thousand lines per second, in a browser with its CPU slowed
 * fourfold. Measures frames per second, the delay of the newest line on the screen, and CPU time of the main thread. To
 * run only this: `npm run build && node bench/hosted/tail-frames.ts`.
 */
import { type CDPSession, chromium, type Page } from '@playwright/test';
import { findChromium } from '../../scripts/chromium.ts';
import { p50 } from './cold.ts';
import { type Host, startHost } from './host.ts';

const SLOWED = 4;
/** A run stores at most ten thousand lines, so several runs share the work. */
const RUNS = 5;
const CODE = `export default { async fetch(request) {
  const query = new URL(request.url).searchParams;
  const from = Date.now();
  for (let lines = 0; Date.now() - from < Number(query.get('ms')); await new Promise((ok) => setTimeout(ok, 10)))
    for (const due = (Date.now() - from) * Number(query.get('rate')) / 1000; lines < due; lines++) console.log('at', Date.now());
  return new Response();
} };`;

export type TailFrames = {
  slowed: number;
  linesPerSecond: number;
  framesPerSecond: number;
  /** The longest time between two frames. */
  longestFrameMs: number;
  /** From the time a line is logged to a frame that shows it. */
  behindP50Ms: number;
  behindP99Ms: number;
  /** CPU milliseconds per second of the page's main thread; the slowdown increases them. */
  mainThreadMs: { all: number; script: number; layout: number; style: number };
};
type Options = { host?: Host; seconds?: number; linesPerSecond?: number; slowed?: number };

/** Measures the logs tab for `seconds`, once lines arrive. */
export async function measureTailFrames({
  host: given,
  seconds = 8,
  linesPerSecond = 1000,
  slowed = SLOWED,
}: Options = {}): Promise<TailFrames> {
  const host = given ?? (await startHost());
  const executablePath = findChromium();
  const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ['--disable-gpu'] });
  try {
    const fn = await host.publish(CODE, { timeout_seconds: 120 });
    const page = await openLogs(await browser.newPage(), host.service.url, fn.function_id);
    const runs = Array.from({ length: RUNS }, () =>
      host.call(fn, { path: `/?ms=${(seconds + 6) * 1000}&rate=${linesPerSecond / RUNS}` }),
    );
    await page
      .getByText(/^at \d+$/)
      .first()
      .waitFor();
    const session = await page.context().newCDPSession(page);
    // CPU time of the thread, without its waits for a core
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowed });
    const before = await workOf(session);
    const { frames, elapsedMs, longestFrameMs, behindMs } = await page.evaluate(watch, seconds * 1000);
    const after = await workOf(session);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await Promise.all(runs);
    const perSecond = (name: keyof typeof before) => ((after[name] - before[name]) / elapsedMs) * 1_000_000;
    behindMs.sort((a, b) => a - b);
    return {
      slowed,
      linesPerSecond,
      framesPerSecond: (frames / elapsedMs) * 1000,
      longestFrameMs,
      behindP50Ms: p50(behindMs),
      behindP99Ms: behindMs[Math.floor(behindMs.length * 0.99)] ?? Number.NaN,
      mainThreadMs: {
        all: perSecond('TaskDuration'),
        script: perSecond('ScriptDuration'),
        layout: perSecond('LayoutDuration'),
        style: perSecond('RecalcStyleDuration'),
      },
    };
  } finally {
    await browser.close();
    if (!given) await host.stop();
  }
}

async function openLogs(page: Page, url: string, function_id: string): Promise<Page> {
  const response = await page.request.post(`${url}/api/session`, {
    data: { email: 'admin@example.com', password: 'a long enough password' },
    headers: { origin: url },
  });
  if (!response.ok()) throw new Error(`sign-in failed: ${response.status()}`);
  await page.goto(`${url}/functions/${function_id}/logs`);
  await page.getByText('Live', { exact: true }).last().waitFor();
  return page;
}

/** Runs in the page: counts frames, and reads the time of the last displayed line. */
function watch(forMs: number) {
  return new Promise<{ frames: number; elapsedMs: number; longestFrameMs: number; behindMs: number[] }>((done) => {
    const behindMs: number[] = [];
    let frames = 0;
    let longestFrameMs = 0;
    let startedAt: number | undefined;
    let lastAt: number | undefined;
    // cached, because a query of the whole page in each frame would count as the page's work
    let list: Element | null = null;
    const onFrame = (at: number) => {
      startedAt ??= at;
      if (lastAt !== undefined) {
        frames += 1;
        longestFrameMs = Math.max(longestFrameMs, at - lastAt);
      }
      lastAt = at;
      if (!list?.isConnected) list = document.querySelector('[aria-label="Log lines"] ol');
      const loggedAt = Number(/at (\d{13})/.exec(list?.lastElementChild?.textContent ?? '')?.[1]);
      if (loggedAt) behindMs.push(Date.now() - loggedAt);
      const elapsedMs = at - startedAt;
      if (elapsedMs < forMs) requestAnimationFrame(onFrame);
      else done({ frames, elapsedMs, longestFrameMs, behindMs });
    };
    requestAnimationFrame(onFrame);
  });
}

async function workOf(session: CDPSession) {
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (name: string) => metrics.find((each) => each.name === name)?.value ?? 0;
  return {
    TaskDuration: of('TaskDuration'),
    ScriptDuration: of('ScriptDuration'),
    LayoutDuration: of('LayoutDuration'),
    RecalcStyleDuration: of('RecalcStyleDuration'),
  };
}

if (import.meta.main) {
  const seconds = Number(process.env['BENCH_SECONDS'] || 8);
  for (const slowed of [1, SLOWED]) {
    const found = await measureTailFrames({ seconds, slowed });
    const { all, script, layout, style } = found.mainThreadMs;
    console.log(
      `${found.linesPerSecond} lines/s, processor slowed ${slowed}×: ${found.framesPerSecond.toFixed(1)} frames/s, ` +
        `longest frame ${found.longestFrameMs.toFixed(0)} ms; newest line behind p50 ${found.behindP50Ms} ms, ` +
        `p99 ${found.behindP99Ms} ms; main thread ${all.toFixed(0)} ms/s (script ${script.toFixed(0)}, ` +
        `layout ${layout.toFixed(0)}, style ${style.toFixed(0)})`,
    );
  }
}
