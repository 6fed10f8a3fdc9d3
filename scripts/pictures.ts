/**
 * `npm run pictures`: makes the pictures of README and docs/ from the demo, each in the light and the dark theme.
 * `DEMO_URL` names a demo that is running already; otherwise one is started and stopped. It takes about four minutes,
 * because the demo's bug and failures need that long.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import { findChromium } from './chromium.ts';
import { type Api, withKey } from './demo/api.ts';
import { PICTURES } from './docs/picture-list.ts';
import { smallPng } from './docs/small-png.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'docs/pictures');
const PORT = '4410';
const KEY = 'slc_demoKeyForTheDemoAccountOnly00000';
const MOST_BYTES = 150 * 1024;
const READY_MS = 300_000;

const running = process.env['DEMO_URL'];
const demo = running === undefined ? startDemo() : undefined;
try {
  const url = running ?? `http://127.0.0.1:${PORT}`;
  await untilThereAreFailures(url);
  const executablePath = findChromium();
  const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ['--no-sandbox'] });
  for (const theme of ['light', 'dark'] as const) await takeAll(browser, url, theme);
  await browser.close();
} finally {
  demo?.();
}

function startDemo(): () => void {
  const data = mkdtempSync(join(tmpdir(), 'sluice-pictures-'));
  const env = { ...process.env, SLUICE_PORT: PORT, SLUICE_DATA_DIR: data };
  const demo = spawn(process.execPath, ['scripts/demo.ts'], { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] });
  return () => {
    demo.once('exit', () => rmSync(data, { recursive: true, force: true }));
    demo.kill('SIGTERM');
  };
}

/** The bug of the demo's second version has failed, so that each page has what it is about. */
async function untilThereAreFailures(url: string): Promise<void> {
  const api = withKey(url, KEY);
  const until = Date.now() + READY_MS;
  while (!(await hasFailures(api).catch(() => false))) {
    if (Date.now() > until) throw new Error('The demo has no failures after five minutes.');
    await wait(2000);
  }
}

async function hasFailures(api: Api): Promise<boolean> {
  const { problems } = await api('problemList');
  return problems.some(({ kind }) => kind === 'RUN');
}

async function takeAll(browser: Browser, url: string, theme: 'light' | 'dark'): Promise<void> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1360, height: 800 },
    colorScheme: theme,
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  const page = await context.newPage();
  await signIn(page);
  for (const { name, open } of PICTURES) {
    await open(page);
    await page.waitForLoadState('networkidle');
    // tooltips of the last click are closed
    await page.mouse.move(0, 0);
    const file = join(FOLDER, `${name}${theme === 'dark' ? '-dark' : ''}.png`);
    const picture = smallPng(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
    writeFileSync(file, picture);
    console.log(`${(picture.length / 1024).toFixed(0).padStart(5)} KB  ${file}`);
    if (picture.length > MOST_BYTES) throw new Error(`${file} is larger than 150 KB: show less on it.`);
  }
  await context.close();
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill('demo@example.com');
  await page.getByLabel('Password', { exact: true }).fill('demo-password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
}
