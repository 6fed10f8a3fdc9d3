/** What is on each picture of docs/pictures/, as steps on the pages of the demo. */
import type { Page } from '@playwright/test';

export interface Picture {
  readonly name: string;
  readonly open: (page: Page) => Promise<void>;
}

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor({ state: 'visible' });

/** Opens a row of a list by its text. */
async function openRow(page: Page, list: string, title: string, row: string | RegExp): Promise<void> {
  await page.goto(list);
  await heading(page, title);
  await page.getByRole('main').getByRole('link', { name: row }).first().click();
}

export const PICTURES: readonly Picture[] = [
  {
    name: 'overview',
    open: async (page) => {
      await page.goto('/');
      await heading(page, 'Overview');
    },
  },
  {
    name: 'events',
    open: async (page) => {
      await page.goto('/events?status=RETRYING&q=country_code');
      await heading(page, 'Events');
      const rows = page.getByRole('row').filter({ hasText: 'order-intake 500' });
      await rows.first().getByRole('link').first().click();
      await page.getByText('TypeError').first().waitFor();
    },
  },
  {
    name: 'problems',
    open: async (page) => {
      await page.goto('/problems');
      await heading(page, 'Problems');
    },
  },
  { name: 'problem', open: (page) => openRow(page, '/problems', 'Problems', /order-intake/) },
  {
    name: 'replay',
    open: async (page) => {
      await page.goto('/events?status=FAILED&bulk=all');
      await heading(page, 'Events');
    },
  },
  {
    name: 'search',
    open: async (page) => {
      await page.goto('/functions/search?q=%2Ffetch%5C(%2F&owner=ALL');
      await heading(page, 'Functions');
    },
  },
  {
    name: 'versions',
    open: async (page) => {
      await openRow(page, '/functions', 'Functions', 'order-intake');
      await page.getByRole('link', { name: /^Versions/ }).click();
    },
  },
  {
    name: 'connection',
    open: async (page) => {
      await openRow(page, '/connections', 'Connections', /Ledger/i);
    },
  },
  {
    name: 'new-trigger',
    open: async (page) => {
      await page.goto('/triggers/new');
      await heading(page, /trigger/i);
    },
  },
];
