/** The end of a session that the page does not know of yet. */
import { type APIRequestContext, type BrowserContext, expect, type Page, request } from '@playwright/test';
import type { RunningService } from './service.ts';

/** Deletes the session's row directly; the page keeps its cookie until the API rejects it. */
export async function endSession(context: BrowserContext, service: RunningService): Promise<void> {
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const elsewhere: APIRequestContext = await request.newContext();
  const answer = await elsewhere.delete(`${service.url}/api/session`, { headers: { cookie, origin: service.url } });
  expect(answer.status()).toBe(200);
  const left = await elsewhere.get(`${service.url}/api/session`, { headers: { cookie } });
  expect(await left.json()).toEqual({ session: null });
  await elsewhere.dispose();
}

/**
 * Ends the session during the next such request, before the page can know. Without a path, a request in the background
 * may be it.
 */
export async function endUnder(method: string, page: Page, service: RunningService, path = '/'): Promise<void> {
  let met = false;
  await page.route(`${service.url}/api${path}**`, async (route) => {
    if (!met && route.request().method() === method) {
      met = true;
      await endSession(page.context(), service);
    }
    await route.continue();
  });
}
