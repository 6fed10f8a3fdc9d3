/** Fields of the forms that set an email address or a password. */
import * as z from 'zod/mini';
import { PASSWORD_MIN_CHARS } from '../../contract/limits.ts';

export const emailAddress = z.string().check(z.trim(), z.regex(/^[^\s@]+@[^\s@]+$/, 'Enter an email address.'));
export const newPassword = z
  .string()
  .check(z.minLength(PASSWORD_MIN_CHARS, `Enter at least ${PASSWORD_MIN_CHARS} characters.`));
export const NEW_PASSWORD_HELP = `At least ${PASSWORD_MIN_CHARS} characters; a few random words are easy to remember.`;
