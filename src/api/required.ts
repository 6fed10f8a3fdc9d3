import type { Required } from '../../contract/errors.ts';
import { path } from '../lib/path.ts';
import { passwordConfirmed } from './password-confirmation.ts';

/** Does what the service requires before it accepts a request; returns whether to send the request again. */
export function isDone(required: Required): Promise<boolean> {
  if (required === 'CONFIRM_PASSWORD') return passwordConfirmed();
  // the page belongs to an account from which another tab has switched away
  window.location.assign(path.overview());
  return Promise.resolve(false);
}
