import type { Page } from '@playwright/test';

/** Holds back the next response to a request of this method and path, until the returned function is called. */
export async function holdResponse(page: Page, method: string, path: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isHeld = false;
  await page.route(
    ({ pathname }) => path.test(pathname),
    async (route) => {
      if (isHeld || route.request().method() !== method) return route.fallback();
      isHeld = true;
      const response = await route.fetch();
      await promise;
      await route.fulfill({ response });
    },
  );
  return resolve;
}
