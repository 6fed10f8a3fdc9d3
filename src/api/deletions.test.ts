import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { beginDeletion, cancelDeletion, completeDeletion, deletedBy, isBeingDeleted } from './deletions.ts';
import { queryClient } from './query-client.ts';

const trigger_id = '019aa6c1-7e96-7c02-9d41-5b0e2f8a6c13';
const destination_id = '019aa6c1-7e96-7c02-9d41-5b0e2f8a6c14';
const params = { trigger_id, destination_id };

afterEach(() => {
  cancelDeletion(destination_id);
  queryClient.clear();
});

test('a DELETE operation removes the last id of its path, other operations remove none', () => {
  expect(deletedBy('destinationDelete', { params })).toBe(destination_id);
  expect(deletedBy('triggerDelete', { params: { trigger_id } })).toBe(trigger_id);
  expect(deletedBy('destinationUpdate', { params })).toBeUndefined();
  expect(deletedBy('sessionDelete', {})).toBeUndefined();
});

test('a resource being deleted is not refetched, its parent is', () => {
  beginDeletion(destination_id);
  expect(isBeingDeleted({ params })).toBe(true);
  expect(isBeingDeleted({ params: { trigger_id } })).toBe(false);
  cancelDeletion(destination_id);
  expect(isBeingDeleted({ params })).toBe(false);
});

test('a deleted resource is evicted at once, a displayed one after its view closes', () => {
  queryClient.setQueryData(['attemptList', { params }], {});
  const look = new QueryObserver(queryClient, {
    queryKey: ['attemptList', { params }],
    queryFn: () => ({}),
    staleTime: 'static',
  });
  const lookAway = look.subscribe(() => undefined);
  queryClient.setQueryData(['destinationGet', { params }], {});
  queryClient.setQueryData(['triggerGet', { params: { trigger_id } }], {});
  completeDeletion(destination_id);
  expect(queryClient.getQueryData(['destinationGet', { params }])).toBeUndefined();
  expect(queryClient.getQueryData(['attemptList', { params }])).toBeDefined();
  lookAway();
  expect(queryClient.getQueryData(['attemptList', { params }])).toBeUndefined();
  expect(queryClient.getQueryData(['triggerGet', { params: { trigger_id } }])).toBeDefined();
});
