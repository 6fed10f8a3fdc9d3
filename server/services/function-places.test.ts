import { expect, it } from 'vitest';
import { RUNS_AT_ONCE } from '../../contract/limits.ts';
import type { Db } from '../store/schema.ts';
import { enter, settleCalls } from './function-places.ts';

/** Only told from others. */
const aDatabase = () => ({}) as Db;

it('a function has so many places, each given back once', () => {
  const db = aDatabase();
  const places = Array.from({ length: RUNS_AT_ONCE }, () => enter(db, 'one'));
  expect(() => enter(db, 'one')).toThrow(/runs going on/);
  enter(db, 'another').close();
  places[0]?.leave();
  places[0]?.leave();
  places[0]?.close();
  enter(db, 'one');
  expect(() => enter(db, 'one')).toThrow(/runs going on/);
});

it('calls are settled when each is recorded to its end, also one that gave its place back before', async () => {
  const db = aDatabase();
  await settleCalls(db);
  const [first, second] = [enter(db, 'one'), enter(db, 'one')];
  let isSettled = false;
  const settled = settleCalls(db).then(() => {
    isSettled = true;
  });
  first.close();
  first.close();
  second.leave();
  await new Promise(setImmediate);
  expect(isSettled).toBe(false);
  second.close();
  await settled;
});
