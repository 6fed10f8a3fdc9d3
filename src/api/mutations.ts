import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { toast } from '../ui/overlays/toast.ts';
import type { ApiError } from './api-error.ts';
import { send } from './client.ts';
import { beginDeletion, cancelDeletion, completeDeletion, deletedBy } from './deletions.ts';
import type { AnyInput, CallInput, Operation, Reply } from './operation.ts';
import { invalidate } from './queries.ts';

export interface ApiMutationOptions<O extends Operation> {
  /** Where a failure is shown: `inline` where the caller shows `error` (a form), else the title of a toast. */
  failure: 'inline' | (string & {});
  /** Operations whose cached replies this mutation invalidates. */
  invalidates?: readonly Operation[] | undefined;
  /** `sentAt`: when the request was sent, in the clock of `dataUpdatedAt`. */
  onSuccess?: ((reply: Reply<O>, input: CallInput<O>, sentAt: number) => unknown) | undefined;
}

/** A mutation that calls an operation: `useApiMutation('eventReplay', { failure: 'The event was not replayed' })`. */
export function useApiMutation<O extends Operation>(
  operation: O,
  { failure, invalidates = [], onSuccess }: ApiMutationOptions<O>,
): UseMutationResult<Reply<O>, ApiError, CallInput<O> & AnyInput> {
  return useMutation<Reply<O>, ApiError, CallInput<O> & AnyInput>({
    mutationKey: [operation],
    mutationFn: (input) => send(operation, input),
    onMutate: (input) => {
      beginDeletion(deletedBy(operation, input));
      return Date.now();
    },
    onSuccess: async (reply, input, sentAt) => {
      // not awaited: the mutation is done, the lists refresh in the background
      void invalidate(...invalidates);
      await onSuccess?.(reply, input, Number(sentAt));
      completeDeletion(deletedBy(operation, input));
    },
    onError: (error, input) => {
      cancelDeletion(deletedBy(operation, input));
      if (failure === 'inline' || error.status === 401) return;
      toast({ title: failure, description: error.message, tone: 'bad' });
    },
  });
}
