/** Every test fails on console errors and warnings, page errors and violations of the content security policy. */
import { test as base, expect, type Page, type WorkerFixture } from '@playwright/test';
import { COLOUR_RULES, EVERY_RULE, otherScheme, violationsOf } from './accessibility.ts';
import { ADMIN, type RunningService, type ServiceOptions, startService } from './service.ts';
import { type Sink, startSink } from './sink.ts';

type ForTest = {
  watched: undefined;
  signedIn: Page;
  axe: (label: string) => Promise<void>;
  /** Checks the page with all rules, and in the other color scheme with the color rules. */
  axeInBothSchemes: (label: string, inTheOther?: () => Promise<void>) => Promise<void>;
};
type ForWorker = { service: RunningService; sink: Sink };

const serviceWith = (options?: ServiceOptions): [WorkerFixture<RunningService, object>, { scope: 'worker' }] => [
  async ({ browserName: _ }: { browserName?: string }, use) => {
    const service = await startService(options);
    await use(service);
    await service.stop();
  },
  { scope: 'worker' },
];

export const test = base.extend<ForTest, ForWorker>({
  service: serviceWith(),
  sink: [
    async ({ browserName: _ }, use) => {
      const sink = await startSink();
      await use(sink);
      await sink.stop();
    },
    { scope: 'worker' },
  ],
  watched: [
    // windows that a page opens (the connect window) are watched too
    async ({ context }, use, info) => {
      const troubles: string[] = [];
      await context.addInitScript(() => {
        addEventListener('securitypolicyviolation', (e) => {
          console.error(`CSP ${e.effectiveDirective} ${e.blockedURI} ${e.sourceFile}:${e.lineNumber} ${e.sample}`);
        });
      });
      context.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()))
          troubles.push(`${message.text()} (${message.location().url})`);
      });
      context.on('weberror', (error) => troubles.push(`page error: ${error.error().message}`));
      await use(undefined);
      const allowed = info.annotations
        .filter(({ type }) => type === 'allow-console')
        .map(({ description }) => new RegExp(description ?? '^$'));
      const left = troubles.filter((trouble) => !allowed.some((pattern) => pattern.test(trouble)));
      expect.soft(left, 'console errors, page errors and policy violations').toEqual([]);
    },
    { auto: true },
  ],
  signedIn: async ({ page, service }, use) => {
    await signIn(page, service);
    await use(page);
  },
  axe: async ({ page }, use) => {
    await use(async (label) => {
      expect.soft(await violationsOf(page, EVERY_RULE), `accessibility of ${label}`).toEqual([]);
    });
  },
  axeInBothSchemes: async ({ page, axe }, use) => {
    await use(async (label, inTheOther) => {
      await axe(label);
      const { scheme, back } = await otherScheme(page);
      expect.soft(await violationsOf(page, COLOUR_RULES), `contrast of ${label}, ${scheme}`).toEqual([]);
      await inTheOther?.();
      await back();
    });
  },
});

/** The same for a file with a separate service, started with these options. */
export const onSeparateService = (options?: ServiceOptions) =>
  test.extend<object, Pick<ForWorker, 'service'>>({ service: serviceWith(options) });

/** Signs in as the first administrator, with the operation that the sign-in page uses. */
export async function signIn(page: Page, service: RunningService): Promise<void> {
  const answer = await page.request.post(`${service.url}/api/session`, {
    data: ADMIN,
    headers: { origin: service.url },
  });
  expect(answer.ok()).toBe(true);
}

export { expect };
