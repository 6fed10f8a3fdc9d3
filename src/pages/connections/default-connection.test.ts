import { expect, it } from 'vitest';
import type { Connection } from '../../api/entities.ts';
import { defaultConnection } from './default-connection.ts';

const connection = (connection_id: string, is_default = false) => ({ connection_id, is_default }) as Connection;
const newest = connection('3');
const oldest = connection('1');

it('returns the default, else the oldest', () => {
  expect(defaultConnection([newest, connection('2', true), oldest])?.connection_id).toBe('2');
  expect(defaultConnection([newest, oldest])).toBe(oldest);
  expect(defaultConnection([])).toBeUndefined();
});
