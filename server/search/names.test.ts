import { expect, it } from 'vitest';
import type { Entry } from './catalogue.ts';
import { Names } from './names.ts';
import { entryOf } from './test/entries-support.ts';

let count = 0;
const entry = (name: string, description = '', account_id = 'me') =>
  entryOf(count++, { account_id, name, description });

/** A ranking in this order. */
const orderOf = (sorted: Entry[]) => ({ sorted, places: Int32Array.from(sorted, (_, place) => place) });
const addAll = (names: Names, all: Entry[]) => {
  for (const [slot, each] of all.entries()) names.add(Object.assign(each, { slot }));
};

const names = new Names();
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
addAll(names, entries);
const find = (text: string, account_id = 'me') =>
  [...names.find(text, orderOf(entries), (each) => each.account_id === account_id)].map(({ name }) => name);

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
  const names = new Names();
  addAll(names, all);
  const found = (text: string) => [...names.find(text, orderOf(all), () => true)].map(({ name }) => name);
  expect(found('archive')).toEqual(['orderArchive']);
  const late = [entry('archived'), entry('unarchive')];
  for (const each of late) names.add(Object.assign(each, { slot: all.push(each) - 1 }));
  expect(found('archiv')).toEqual(['orderArchive', 'archived', 'unarchive']);
  expect(found('orderArchvie')).toEqual(['orderArchive']);
  expect(found('unarchvie')).toEqual(['unarchive']);
  expect(found('filler599')).toEqual(['filler599']);
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
  const names = new Names();
  addAll(names, all);
  expect([...names.find(text, orderOf(all), () => true)].map(({ name }) => name)).toEqual(expected);
});

it('returns no functions of other accounts, not even for typos', () => {
  expect(find('ledger')).toEqual(['Order sync']);
  expect(find('secrets')).toEqual([]);
  expect(find('secrtes', 'another')).toEqual(['Ledger secrets']);
});

it('does not find removed functions, and finds later ones', () => {
  const late = entry('Zebra');
  late.slot = entries.push(late) - 1;
  names.add(late);
  expect(find('zeb')).toEqual(['Zebra']);
  names.remove(late);
  expect(find('zeb')).toEqual([]);
  expect(find('zebar')).toEqual([]);
});

it('indexes added functions step by step, and never one that was removed before', () => {
  const all = ['one zebra', 'two zebra', 'three zebra', 'four zebra'].map((name) => entry(name));
  const names = new Names();
  addAll(names, all);
  expect(names.indexNext(2)).toBe(true);
  for (const at of [1, 2]) names.remove(all[at] as Entry);
  expect(names.indexNext(1)).toBe(false);
  expect([...names.find('zebra', orderOf(all), () => true)].map(({ name }) => name)).toEqual([
    'one zebra',
    'four zebra',
  ]);
  addAll(names, all);
  names.remove(all[0] as Entry);
  expect(names.withinNames('a', orderOf(all), () => true)).toHaveLength(4);
});

it('puts the exact name first, then better matches, then better functions', () => {
  const some = ['sync order', 'zz order', 'order sync', 'Order', 'order zz'].map((name) => entry(name));
  some.push(entry('else', 'an order'));
  const names = new Names();
  addAll(names, some);
  const found = (text: string) => [...names.find(text, orderOf(some), () => true)].map(({ slot }) => slot);
  expect(found('order')).toEqual([3, 0, 1, 2, 4, 5]);
  expect(found('order sync')).toEqual([2, 0]);
  expect(found('ord')).toEqual([0, 1, 2, 3, 4, 5]);
});

it('returns all of very many, the best first', () => {
  const many = Array.from({ length: 2000 }, (_, n) =>
    entry(n % 3 === 0 ? `order ${n}` : `x${n}`, n % 2 ? 'order' : ''),
  );
  const names = new Names();
  addAll(names, many);
  const found = [...names.find('order', orderOf(many), () => true)].map(({ slot }) => slot);
  const [inName, elsewhere] = [
    many.filter(({ name }) => name.startsWith('order')),
    many.filter(({ name, description }) => !name.startsWith('order') && description !== ''),
  ];
  expect(found).toEqual([...inName, ...elsewhere].map(({ slot }) => slot));
});

it('finds names that contain a text, and the same again after any other search', () => {
  const names = new Names();
  const all = ['a-b', 'A_B', 'É-b', 'b', 'base-64'].map((name) => entry(name));
  addAll(names, all);
  const order = orderOf(all);
  for (let times = 0; times < 3; times++) {
    expect(names.withinNames('-B', order, () => true).map(({ name }) => name)).toEqual(['a-b', 'É-b']);
    expect(names.withinNames('é', order, () => true).map(({ name }) => name)).toEqual(['É-b']);
    expect([...names.find('b a', order, () => true)].map(({ name }) => name)).toEqual(['a-b', 'A_B']);
    expect([...names.find('base 64', order, () => true)].map(({ name }) => name)).toEqual(['base-64']);
    expect([...names.find('nothing such', order, () => true)]).toEqual([]);
  }
});
