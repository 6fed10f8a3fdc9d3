import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { deletedBy, forget, isLeaving, leave, stay } from './leaving.ts';
import { queryClient } from './query-client.ts';

const trigger_id = '019aa6c1-7e96-7c02-9d41-5b0e2f8a6c13';
const destination_id = '019aa6c1-7e96-7c02-9d41-5b0e2f8a6c14';
const params = { trigger_id, destination_id };

afterEach(() => {
  stay(destination_id);
  queryClient.clear();
});

test('a deletion is about the last id of its path; nothing else deletes', () => {
  expect(deletedBy('destinationDelete', { params })).toBe(destination_id);
  expect(deletedBy('triggerDelete', { params: { trigger_id } })).toBe(trigger_id);
  expect(deletedBy('destinationUpdate', { params })).toBeUndefined();
  expect(deletedBy('sessionDelete', {})).toBeUndefined();
});

test('what leaves is not asked for again, what it was part of is', () => {
  leave(destination_id);
  expect(isLeaving({ params })).toBe(true);
  expect(isLeaving({ params: { trigger_id } })).toBe(false);
  stay(destination_id);
  expect(isLeaving({ params })).toBe(false);
});

test('a deleted item is evicted at once, a displayed one after it is closed', () => {
  queryClient.setQueryData(['attemptList', { params }], {});
  const look = new QueryObserver(queryClient, {
    queryKey: ['attemptList', { params }],
    queryFn: () => ({}),
    staleTime: 'static',
  });
  const lookAway = look.subscribe(() => undefined);
  queryClient.setQueryData(['destinationGet', { params }], {});
  queryClient.setQueryData(['triggerGet', { params: { trigger_id } }], {});
  forget(destination_id);
  expect(queryClient.getQueryData(['destinationGet', { params }])).toBeUndefined();
  expect(queryClient.getQueryData(['attemptList', { params }])).toBeDefined();
  lookAway();
  expect(queryClient.getQueryData(['attemptList', { params }])).toBeUndefined();
  expect(queryClient.getQueryData(['triggerGet', { params: { trigger_id } }])).toBeDefined();
});
