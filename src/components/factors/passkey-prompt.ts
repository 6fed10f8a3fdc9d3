/** The browser's prompts for passkeys. Loaded when one is opened. */
import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import { ApiError, toApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import type { Body } from '../../api/operation.ts';

export type NewCredential = Body<'passkeyCreate'>['passkey'];
export type Assertion = Body<'sessionPasskey'>['passkey'];

/** Asks for a new passkey of the signed-in person. Throws an ApiError that says why there is none. */
export async function promptForNewPasskey(): Promise<NewCredential> {
  const { options } = await call('passkeyOptions');
  return prompt(options.rp.id, async () => {
    const { id, type, response } = await startRegistration({ optionsJSON: options as never });
    const { clientDataJSON, attestationObject, transports } = response;
    return { id, type, response: { clientDataJSON, attestationObject, ...(transports ? { transports } : {}) } };
  });
}

/** Asks for one of the person's passkeys. Throws an ApiError that says why there is none. */
export async function promptForPasskey(purpose: Body<'passkeyRequest'>['purpose']): Promise<Assertion> {
  const { options } = await call('passkeyRequest', { body: { purpose } });
  return prompt(options.rpId, async () => {
    const { id, type, response } = await startAuthentication({ optionsJSON: options as never });
    const { clientDataJSON, authenticatorData, signature, userHandle } = response;
    return { id, type, response: { clientDataJSON, authenticatorData, signature, userHandle: userHandle ?? null } };
  });
}

async function prompt<T>(host: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (thrown) {
    throw new ApiError({ status: -1, type: 'Passkey', message: messageOf(thrown, host) });
  }
}

function messageOf(thrown: unknown, host: string): string {
  const error = thrown instanceof WebAuthnError ? (thrown.cause ?? thrown) : thrown;
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'AbortError':
      return 'The prompt was closed or timed out. Try again.';
    case 'InvalidStateError':
      return 'This device has a passkey for you already.';
    case 'SecurityError':
      return `Passkeys belong to ${host}. Open the console there.`;
    case 'NotSupportedError':
      return 'This browser or device has no passkeys that verify you.';
    default:
      return toApiError(error).message;
  }
}
