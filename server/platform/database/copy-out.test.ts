import { afterAll, beforeAll, expect, it } from 'vitest';
import { COPIED, copyOut } from './copy-out.ts';
import type { Database } from './database.ts';
import { openScratchDatabase } from './embedded/scratch.ts';

let database: Database;

beforeAll(async () => {
  database = await openScratchDatabase();
});
afterAll(() => database.close());

const read = (query: string, bytes = 1_000_000) => copyOut(database.kysely, query, Buffer.alloc(bytes));

it('reads rows of any bytes, also NULL, empty ones and large ones', async () => {
  const rows = await read(`
    select n::text, case n when 1 then null when 2 then ''::bytea else '\\x00ff0a'::bytea || repeat('x', n)::bytea end
    from unnest(array[1, 2, 3, 300000]) as n`);
  expect(rows).toEqual([
    [Buffer.from('1'), null],
    [Buffer.from('2'), Buffer.alloc(0)],
    [Buffer.from('3'), Buffer.from('\0\xff\nxxx', 'latin1')],
    [Buffer.from('300000'), Buffer.from(`\0\xff\n${'x'.repeat(300_000)}`, 'latin1')],
  ]);
  expect(await read('select 1 where false')).toEqual([]);
});

it('needs the memory that it says, and no less', async () => {
  const rows = `select 'ab'::text, 'cde'::text from generate_series(1, 10)`;
  const bytes = COPIED.ends + 10 * (COPIED.row + 2 * COPIED.value + 5);
  expect(await read(rows, bytes)).toHaveLength(10);
  await expect(read(rows, bytes - 1)).rejects.toThrow('larger than expected');
});

it('rejects with the error of the database, and the connection is used again', async () => {
  await expect(read('select nothing')).rejects.toMatchObject({ code: '42703' });
  await expect(read('select 1 / (2 - n) from generate_series(1, 2) as n')).rejects.toMatchObject({ code: '22012' });
  expect(await read(`select 'x'::text`)).toEqual([[Buffer.from('x')]]);
});
