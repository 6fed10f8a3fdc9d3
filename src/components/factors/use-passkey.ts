import { useMutation } from '@tanstack/react-query';
import type { ApiError } from '../../api/api-error.ts';
import type { Assertion } from './passkey-prompt.ts';

type Purpose = 'SIGN_IN' | 'SECOND_FACTOR' | 'CONFIRM';

/** Asks for a passkey, then sends it: `usePasskey('SIGN_IN', (passkey) => call('sessionPasskey', …))`. */
export function usePasskey<T>(
  purpose: Purpose,
  send: (passkey: Assertion) => Promise<T>,
  onDone: (reply: T) => unknown,
) {
  return useMutation<T, ApiError, void>({
    mutationKey: ['passkey', purpose],
    mutationFn: async () => {
      const { promptForPasskey } = await import('./passkey-prompt.ts');
      return send(await promptForPasskey(purpose));
    },
    onSuccess: (reply) => onDone(reply),
  });
}
