import { expect, it } from 'vitest';
import { causeWords, failureOf, isAppsFault, ownMetadata } from './failure.ts';

const failure = {
  code: 'INVALID_CREDENTIALS',
  message: 'The key was refused twice.',
  since: '2026-11-21T08:00:00.000000Z',
};

it('reads the cause from the metadata', () => {
  expect(failureOf({ status: 'FAILED', metadata: { failure, team: 'sales' } })).toEqual(failure);
  expect(failureOf({ status: 'FAILED', metadata: {} })).toMatchObject({ code: 'FAILED', since: undefined });
  expect(failureOf({ status: 'ACTIVE', metadata: { failure } })).toBeUndefined();
});

it('excludes the cause from editable metadata', () => {
  expect(ownMetadata({ metadata: { failure, team: 'sales' } })).toEqual({ team: 'sales' });
});

it('returns a short cause, or the message of an unknown code', () => {
  expect(causeWords({ ...failure, since: undefined })).toBe('The credentials were rejected');
  expect(causeWords({ code: 'SOMETHING_NEW', message: 'The moon was full.', since: undefined })).toBe(
    'The moon was full.',
  );
  expect(isAppsFault({ code: 'APP_CONFIG', message: '', since: undefined })).toBe(true);
  expect(isAppsFault({ ...failure, since: undefined })).toBe(false);
});
