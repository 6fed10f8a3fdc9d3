import { expect, it } from 'vitest';
import { causeWords, failureOf, isAppsFault, ownMetadata } from './failure.ts';

const failure = {
  code: 'INVALID_CREDENTIALS',
  message: 'The key was refused twice.',
  since: '2026-11-21T08:00:00.000000Z',
};

it('reads the cause the service keeps in the metadata', () => {
  expect(failureOf({ status: 'FAILED', metadata: { failure, team: 'sales' } })).toEqual(failure);
  expect(failureOf({ status: 'FAILED', metadata: {} })).toMatchObject({ code: 'FAILED', since: undefined });
  expect(failureOf({ status: 'ACTIVE', metadata: { failure } })).toBeUndefined();
});

it('leaves the cause out of what the account may change', () => {
  expect(ownMetadata({ metadata: { failure, team: 'sales' } })).toEqual({ team: 'sales' });
});

it('says the cause in a few words, and one that is new to the console in its own', () => {
  expect(causeWords({ ...failure, since: undefined })).toBe('The credentials were rejected');
  expect(causeWords({ code: 'SOMETHING_NEW', message: 'The moon was full.', since: undefined })).toBe(
    'The moon was full.',
  );
  expect(isAppsFault({ code: 'APP_CONFIG', message: '', since: undefined })).toBe(true);
  expect(isAppsFault({ ...failure, since: undefined })).toBe(false);
});
