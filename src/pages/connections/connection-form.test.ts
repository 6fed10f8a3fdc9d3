import { expect, test } from 'vitest';
import { objectIn } from '../../../contract/text/exact-json.ts';
import { metadataOf, settingsOf, settingsSchema } from './connection-form.ts';

test('metadata is sent unchanged, including numbers that a double cannot represent', () => {
  const metadata = '{"owner":12345678901234567890,"n":[1.5]}';
  expect(JSON.stringify(metadataOf({ name: '', metadata }))).toBe(metadata);
  const shown = settingsOf(null, objectIn(metadata) ?? {});
  expect(JSON.stringify(metadataOf(shown))).toBe(metadata);
});

test('text that is no object is rejected', () => {
  const isGood = (metadata: string) => settingsSchema.safeParse({ name: '', metadata }).success;
  expect(['', '{}', '{"a":1}'].filter(isGood)).toHaveLength(3);
  expect(['12345678901234567890', '7', '[]', 'null', '{'].filter(isGood)).toEqual([]);
});
