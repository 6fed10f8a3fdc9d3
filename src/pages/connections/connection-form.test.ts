import { expect, test } from 'vitest';
import { objectIn } from '../../../contract/text/exact-json.ts';
import { endUserOf, metadataOf, settingsOf, settingsSchema } from './connection-form.ts';

const nothing = { name: null, tags: [], end_user: null };
const empty = settingsOf(nothing, {});

test('metadata is sent unchanged, including numbers that a double cannot represent', () => {
  const metadata = '{"owner":12345678901234567890,"n":[1.5]}';
  expect(JSON.stringify(metadataOf({ ...empty, metadata }))).toBe(metadata);
  const shown = settingsOf(nothing, objectIn(metadata) ?? {});
  expect(JSON.stringify(metadataOf(shown))).toBe(metadata);
});

test('text that is no object is rejected', () => {
  const isGood = (metadata: string) => settingsSchema.safeParse({ ...empty, metadata }).success;
  expect(['', '{}', '{"a":1}'].filter(isGood)).toHaveLength(3);
  expect(['12345678901234567890', '7', '[]', 'null', '{'].filter(isGood)).toEqual([]);
});

test('the end user is the one shown, none without an ID, and rejected with a name only', () => {
  const end_user = { id: 'u-1', email: null, name: 'Ann' };
  expect(endUserOf(settingsOf({ ...nothing, end_user }, {}))).toEqual(end_user);
  expect(endUserOf(empty)).toBeNull();
  expect(settingsSchema.safeParse({ ...empty, userName: 'Ann' }).error?.issues[0]?.path).toEqual(['userId']);
});

test('tags are separated by commas, at most 20 of 64 characters', () => {
  const isGood = (tags: string) => settingsSchema.safeParse({ ...empty, tags }).success;
  expect(isGood(Array.from({ length: 20 }, (_, n) => `t${n}`).join())).toBe(true);
  expect(isGood(Array.from({ length: 21 }, (_, n) => `t${n}`).join())).toBe(false);
  expect([isGood('x'.repeat(64)), isGood('x'.repeat(65))]).toEqual([true, false]);
});
