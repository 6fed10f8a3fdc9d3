/** Each guide of docs/guides/, step by step: its commands against the service, its labels in the browser. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { type OAuthProvider, startProvider } from '../../server/connections/test/oauth-provider.ts';
import { type NpmRegistry, startNpmRegistry } from '../../server/runtime/packages/npm-registry.ts';
import { agree } from '../support/connecting.ts';
import { test as base, expect } from '../support/fixtures.ts';
import { KEY, type RunningService, startService } from '../support/service.ts';
import type { Sink } from '../support/sink.ts';
import { type Step, stepsOf } from './guide.ts';

const FOLDER = fileURLToPath(new URL('../../docs/guides/', import.meta.url));
const guides = readdirSync(FOLDER).filter((file) => file.endsWith('.md'));

/** A shell that keeps its variables from one command to the next. */
class Shell {
  readonly #folder = mkdtempSync(join(tmpdir(), 'sluice-guide-'));
  readonly #variables = join(this.#folder, '.variables');

  readonly #env: NodeJS.ProcessEnv;

  /** npm gets its packages from `registry`. */
  constructor(variables: Readonly<Record<string, string>>, registry: string) {
    this.#env = { ...process.env, npm_config_registry: registry, npm_config_cache: join(this.#folder, '.npm') };
    const lines = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
    writeFileSync(this.#variables, lines.join('\n'));
  }

  write(name: string, content: string): void {
    writeFileSync(join(this.#folder, name), content);
  }

  async run(script: string): Promise<string> {
    // options and functions of bash are read-only variables, which cannot be set again
    const kept = `declare -p | grep -E '^declare -- [A-Z_]+=' | grep -vE '^declare -- (BASH|COMP|DIR|IFS|OPT|PS|_)' > ${this.#variables}`;
    const whole = `set -euo pipefail\n. ${this.#variables}\n${script}\n${kept}\n`;
    const { stdout } = await promisify(execFile)('bash', ['-c', whole], { cwd: this.#folder, env: this.#env });
    return stdout;
  }

  /** A text with the variables in it. */
  async expand(text: string): Promise<string> {
    return text.includes('$') ? (await this.run(`printf %s "${text}"`)).trim() : text;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** What a label names: a control, a heading, or a text. */
const named = (page: Page, label: string) =>
  page
    .getByRole('button', { name: label })
    .or(page.getByRole('link', { name: label }))
    .or(page.getByRole('radio', { name: label }))
    .or(page.getByLabel(label))
    .or(page.getByText(label))
    .filter({ visible: true })
    .first();

async function take(step: Step, page: Page, shell: Shell, service: RunningService, sink: Sink): Promise<void> {
  switch (step.kind) {
    case 'run': {
      const output = await shell.run(step.script);
      for (const line of step.output) expect(output).toContain(line);
      return;
    }
    case 'file':
      return shell.write(step.name, step.content);
    case 'open': {
      const url = new URL(await shell.expand(step.what), service.url);
      return void (await page.goto(url.href));
    }
    case 'press': {
      const control = page
        .getByRole('button', { name: step.what })
        .or(page.getByRole('link', { name: step.what }))
        .or(page.getByRole('tab', { name: step.what }));
      return control.filter({ visible: true }).first().click();
    }
    case 'choose':
      // only choices that begin with the label: "Select all events" is on the same page as "All"
      return page.getByRole('radio', { name: new RegExp(`^${step.what}( |$)`) }).click();
    case 'enter':
      return page
        .getByLabel(step.what)
        .first()
        .fill(await shell.expand(step.text));
    case 'see':
      return expect(named(page, step.what)).toBeVisible();
    case 'receiver':
      return sink.answer(step.status);
    case 'agree':
      return agree(page);
  }
}

const PACKAGE = fileURLToPath(new URL('../../node_modules/uqr/', import.meta.url));
const inPackage = (file: string) => readFileSync(join(PACKAGE, file), 'utf8');

/** A service whose functions get their packages from a registry on this machine, which has the one of the guides. */
const test = base.extend<object, { registry: NpmRegistry; service: RunningService }>({
  registry: [
    async ({ browserName: _ }, use) => {
      const manifest = JSON.parse(inPackage('package.json')) as { name: string; version: string };
      const registry = await startNpmRegistry([{ manifest, files: { 'dist/index.mjs': inPackage('dist/index.mjs') } }]);
      await use(registry);
      registry.close();
    },
    { scope: 'worker' },
  ],
  service: [
    async ({ registry }, use) => {
      const service = await startService({ env: { SLUICE_NPM_REGISTRY: registry.address } });
      await use(service);
      await service.stop();
    },
    { scope: 'worker' },
  ],
});

let provider: OAuthProvider;
test.beforeAll(async ({ service }) => {
  provider = await startProvider({ redirect_urls: [`${service.url}/connect/oauth/callback`] });
});
test.afterAll(() => provider.close());

// The provider's pages load a web font.
test.beforeEach(({ context }) => context.route(/^https:\/\/fonts\./, (route) => route.fulfill({ body: '' })));

for (const file of guides) {
  test(`the guide ${file} works`, async ({ signedIn: page, service, sink, registry }) => {
    sink.answer(200);
    page.setDefaultTimeout(25_000);
    const { client_id: CLIENT_ID, client_secret: CLIENT_SECRET } = provider.client;
    const own = { RECEIVER: `${sink.url}/hook`, APP: sink.url, PROVIDER: provider.url, CLIENT_ID, CLIENT_SECRET };
    const shell = new Shell({ SLUICE: `${service.url}/api`, KEY, ...own }, registry.address);
    const steps = stepsOf(readFileSync(join(FOLDER, file), 'utf8'));
    expect(steps.length).toBeGreaterThan(0);
    for (const step of steps) await test.step(JSON.stringify(step), () => take(step, page, shell, service, sink));
    shell.remove();
  });
}
