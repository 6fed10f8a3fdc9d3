import { expect, it } from 'vitest';
import { Names } from './names.ts';
import type { Entry } from './table/entry.ts';
import { entryOf } from './test/entries-support.ts';

let count = 0;
const entry = (name: string, description = '', account_id = 'me') =>
  entryOf(count++, { account_id, name, description });

/** A ranking in this order; the slot of each is its place. */
const orderOf = (all: Entry[]) => ({
  sorted: Int32Array.from(all, (_, place) => place),
  places: Int32Array.from(all, (_, place) => place),
});
const row = (all: Entry[], slot: number) => {
  const found = all[slot];
  if (!found) throw new Error(`no function in slot ${slot}`);
  return found;
};
const namesOf = (all: Entry[]) => {
  const names = new Names({ row: (slot) => row(all, slot) });
  for (const slot of all.keys()) names.add(slot);
  return names;
};
const everyOne = () => true;
/** The names of what was found. */
const found = (names: Names, all: Entry[], text: string) =>
  [...names.find(text, orderOf(all), everyOne)].map((slot) => row(all, slot).name);

const entries = [
  entry('Order sync', 'Copies invoices to the ledger'),
  entry('Invoice mailer', 'Sends orders'),
  entry('orderArchive'),
  entry('reorder'),
  entry('日本語の関数', '受注を倉庫へ送る'),
  entry('Crème brûlée', 'Straße'),
  entry('ΣΊΣΥΦΟΣ'),
  entry('Ledger secrets', '', 'another'),
];
const names = namesOf(entries);
const find = (text: string, account_id = 'me') =>
  [...names.find(text, orderOf(entries), (slot) => row(entries, slot).account_id === account_id)].map(
    (slot) => row(entries, slot).name,
  );

it.each([
  ['order', ['Order sync', 'orderArchive', 'reorder', 'Invoice mailer']],
  ['order sync', ['Order sync']],
  ['archive', ['orderArchive']],
  ['invoi', ['Invoice mailer', 'Order sync']],
  ['invocie', ['Invoice mailer', 'Order sync']],
  ['legder', ['Order sync']],
  ['oredr snyc', ['Order sync']],
  ['xyz', []],
  ['ordxx', []],
  ['日本', ['日本語の関数']],
  ['本語', ['日本語の関数']],
  ['倉庫', ['日本語の関数']],
  ['庫', ['日本語の関数']],
  ['creme brulee', ['Crème brûlée']],
  ['BRÛLÉE', ['Crème brûlée']],
  ['brule\u0301e', ['Crème brûlée']],
  ['strasse', ['Crème brûlée']],
  ['STRAẞE', ['Crème brûlée']],
  ['σισυφοσ', ['ΣΊΣΥΦΟΣ']],
  ['の関数', ['日本語の関数']],
  ['...', []],
])('%s finds %j', (text, expected) => expect(find(text)).toEqual(expected));

it('finds the same words among many as among few, and words added later', () => {
  const all = [...entries, ...Array.from({ length: 600 }, (_, n) => entry(`filler${n}`))];
  const names = namesOf(all);
  const find = (text: string) => found(names, all, text);
  expect(find('archive')).toEqual(['orderArchive']);
  const late = [entry('archived'), entry('unarchive')];
  for (const each of late) names.add(all.push(each) - 1);
  expect(find('archiv')).toEqual(['orderArchive', 'archived', 'unarchive']);
  expect(find('orderArchvie')).toEqual(['orderArchive']);
  expect(find('unarchvie')).toEqual(['unarchive']);
  expect(find('filler599')).toEqual(['filler599']);
});

it.each([
  ['nodejs', ['node.js runner', 'node.js', 'Node JS']],
  ['node.js', ['node.js', 'node.js runner', 'Node JS']],
  ['node js', ['Node JS', 'node.js runner', 'node.js']],
  ['base 64', ['base64']],
  ['vue 3', ['vue-3-table', 'vue3']],
  ['vue3', ['vue3', 'vue-3-table']],
  ['oauth2', ['OAuth 2 login']],
  ['httpclient', ['@acme/http-client']],
  ['acmehttpclient', ['@acme/http-client']],
  ['getuserbyid', ['get_user_by_id']],
  // Names that only begin with it or contain it are not found.
  ['nodejsrun', []],
  ['noders', []],
  ['userbyid', []],
])('%s finds %j with any separators', (text, expected) => {
  const some = ['node.js runner', 'node.js', 'Node JS', 'base64', 'vue-3-table', 'vue3', 'OAuth 2 login'];
  const all = [...some, '@acme/http-client', 'get_user_by_id'].map((name) => entry(name));
  expect(found(namesOf(all), all, text)).toEqual(expected);
});

it('returns no functions of other accounts, not even for typos', () => {
  expect(find('ledger')).toEqual(['Order sync']);
  expect(find('secrets')).toEqual([]);
  expect(find('secrtes', 'another')).toEqual(['Ledger secrets']);
});

it('does not find removed functions, and finds later ones', () => {
  const late = entries.push(entry('Zebra')) - 1;
  names.add(late);
  expect(find('zeb')).toEqual(['Zebra']);
  names.remove(late);
  expect(find('zeb')).toEqual([]);
  expect(find('zebar')).toEqual([]);
});

it('indexes added functions step by step, and never one that was removed before', () => {
  const all = ['one zebra', 'two zebra', 'three zebra', 'four zebra'].map((name) => entry(name));
  const names = namesOf(all);
  expect(names.indexNext(2)).toBe(true);
  for (const slot of [1, 2]) names.remove(slot);
  expect(names.indexNext(1)).toBe(false);
  expect(found(names, all, 'zebra')).toEqual(['one zebra', 'four zebra']);
  for (const slot of all.keys()) names.add(slot);
  names.remove(0);
  expect(names.withinNames('a', orderOf(all), everyOne)).toHaveLength(4);
});

it('puts the exact name first, then better matches, then better functions', () => {
  const some = ['sync order', 'zz order', 'order sync', 'Order', 'order zz'].map((name) => entry(name));
  some.push(entry('else', 'an order'));
  const names = namesOf(some);
  const found = (text: string) => [...names.find(text, orderOf(some), everyOne)];
  expect(found('order')).toEqual([3, 0, 1, 2, 4, 5]);
  expect(found('order sync')).toEqual([2, 0]);
  expect(found('ord')).toEqual([0, 1, 2, 3, 4, 5]);
});

it('returns all of very many, the best first', () => {
  const many = Array.from({ length: 2000 }, (_, n) =>
    entry(n % 3 === 0 ? `order ${n}` : `x${n}`, n % 2 ? 'order' : ''),
  );
  const found = [...namesOf(many).find('order', orderOf(many), everyOne)];
  const slotsOf = (isIt: (each: Entry) => boolean) => many.flatMap((each, slot) => (isIt(each) ? [slot] : []));
  const isInName = ({ name }: Entry) => name.startsWith('order');
  const elsewhere = slotsOf((each) => !isInName(each) && each.description !== '');
  expect(found).toEqual([...slotsOf(isInName), ...elsewhere]);
});

it('finds names that contain a text, and the same again after any other search', () => {
  const all = ['a-b', 'A_B', 'É-b', 'b', 'base-64'].map((name) => entry(name));
  const names = namesOf(all);
  const within = (text: string) => names.withinNames(text, order, everyOne).map((slot) => row(all, slot).name);
  const order = orderOf(all);
  for (let times = 0; times < 3; times++) {
    expect(within('-B')).toEqual(['a-b', 'É-b']);
    expect(within('é')).toEqual(['É-b']);
    expect(found(names, all, 'b a')).toEqual(['a-b', 'A_B']);
    expect(found(names, all, 'base 64')).toEqual(['base-64']);
    expect(found(names, all, 'nothing such')).toEqual([]);
  }
});
