/** A small function with two files, and helpers for the code editor. */
import type { Locator, Page } from '@playwright/test';
import type { RunningService } from './service.ts';

export const INDEX = `import { total } from './total.ts';

export default {
  async fetch(request: Request): Promise<Response> {
    const { items } = await request.json();
    console.log(JSON.stringify({ level: 'info', msg: 'summing', items }));
    if (items.length === 0) throw new Error('no items to sum');
    return Response.json({ total: total(items) });
  },
};
`;
export const TOTAL = `export const total = (items: number[]) => items.reduce((sum, item) => sum + item, 0);
`;

export async function make(
  service: RunningService,
  name: string,
  files: Record<string, string> = { 'index.ts': INDEX, 'total.ts': TOTAL },
) {
  const reply = await service.call('functionCreate', { body: { name, runtime: 'nodejs24.x', files } });
  return reply.function;
}

export const editor = (page: Page): Locator => page.getByRole('textbox', { name: /\.ts/ });

/** Replaces the text of the editor like a paste: without completion or indentation. */
export async function write(page: Page, text: string): Promise<void> {
  await editor(page).focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
}

export const openFile = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Files' }).getByRole('button', { name, exact: false }).first().click();
