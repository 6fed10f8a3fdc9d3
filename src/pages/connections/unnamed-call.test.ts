import { expect, it } from 'vitest';
import type { Connection } from '../../api/entities.ts';
import { takenUnnamed, takenWithout } from './unnamed-call.ts';

const connection = (connection_id: string, is_default = false) => ({ connection_id, is_default }) as Connection;
const newest = connection('3');
const oldest = connection('1');

it('takes the default, else the oldest', () => {
  expect(takenUnnamed([newest, connection('2', true), oldest])?.connection_id).toBe('2');
  expect(takenUnnamed([newest, oldest])).toBe(oldest);
  expect(takenUnnamed([])).toBeUndefined();
});

it('knows who takes over', () => {
  expect(takenWithout([newest, connection('2', true), oldest], '2')).toBe(oldest);
  expect(takenWithout([oldest], '1')).toBeUndefined();
});
