import { expect, it } from 'vitest';
import { findApps, groupsOf } from './app-search.ts';

const app = (id: string, name: string, category: 'developer' | 'communication' | 'custom', description = '') => ({
  app: id,
  name,
  category,
  description,
});
const APPS = [
  app('github', 'GitHub', 'developer', 'Repositories, issues and pull requests.'),
  app('google-mail', 'Google Mail', 'communication', 'Messages and drafts of a mailbox.'),
  app('mailgun', 'Mailgun', 'communication', 'Sends and receives mail.'),
  app('order-mailer', 'Order mailer', 'custom'),
];
const found = (text: string) => findApps(APPS, text).map((each) => each.app);

it('prefix matches of a name rank before word matches, those before descriptions', () => {
  expect(found('mail')).toEqual(['mailgun', 'google-mail', 'order-mailer']);
  expect(found('git')).toEqual(['github']);
  expect(found('mailbox')).toEqual(['google-mail']);
});

it('finds apps by category and purpose; every word must match', () => {
  expect(found('developer')).toEqual(['github']);
  expect(found('pull requests')).toEqual(['github']);
  expect(found('google drafts')).toEqual(['google-mail']);
  expect(found('google issues')).toEqual([]);
});

it('finds apps by ID', () => {
  expect(found('google-mail')).toEqual(['google-mail']);
});

it('custom apps come before the categories', () => {
  expect(groupsOf(APPS).map(({ name, apps }) => [name, apps.length])).toEqual([
    ['Yours', 1],
    ['Communication', 2],
    ['Developer tools', 1],
  ]);
});
