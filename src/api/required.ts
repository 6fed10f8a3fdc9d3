/** What a person has to do before a rejected request can succeed. Loaded with the first such reply. */
import type { Required } from '../../contract/errors.ts';
import { path } from '../lib/path.ts';
import { passwordConfirmed } from './password-confirmation.ts';

/** Asks for it; true if it is done and the request can be sent again. */
export async function isFulfilled(required: Required): Promise<boolean> {
  if (required === 'CONFIRM_PASSWORD') return passwordConfirmed();
  // the page belongs to an account from which another tab has switched away
  if (required === 'RELOAD') window.location.assign(path.overview());
  // the account answers nothing before: only the page that sets one up is of use
  if (required === 'SET_UP_SECOND_FACTOR' && window.location.pathname !== path.secondFactor())
    window.location.assign(path.secondFactor());
  return false;
}
