/** The client that an account registered with an app, as its form has it. */
import * as z from 'zod/mini';
import type { CallInput, Reply } from '../../../api/operation.ts';

export type Credential = Reply<'appCredentialList'>['credentials'][number];

const PRINTABLE = 'Use ASCII characters only.';
const plain = z.string().check(
  z.trim(),
  z.refine((text) => /^[\x20-\x7e]*$/.test(text), PRINTABLE),
);

/** `kept`: a secret is stored already, and stays when nothing is typed. */
export const clientSchema = (kept: boolean) =>
  z
    .object({
      client_id: plain.check(z.minLength(1, 'Enter the client ID.')),
      client_secret: plain,
      is_public: z.boolean(),
      scopes: z.string(),
    })
    .check(
      z.refine(({ client_secret, is_public }) => kept || is_public || client_secret !== '', {
        path: ['client_secret'],
        message: 'Enter the client secret.',
      }),
    );
export type ClientValues = { client_id: string; client_secret: string; is_public: boolean; scopes: string };

export const clientValues = ({ client_id, has_secret, scopes }: Credential): ClientValues => ({
  client_id: client_id ?? '',
  client_secret: '',
  is_public: client_id !== null && !has_secret,
  scopes: (scopes ?? []).join('\n'),
});

/** Words, however they are parted: people paste lists with spaces, commas and line ends. */
export const scopesIn = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))];

/** What is sent: a secret that wasn't typed stays as it is, and no scopes mean the app's usual ones. */
export function clientBody(
  { client_id, client_secret, is_public, scopes }: ClientValues,
  method: Credential['method'],
): CallInput<'appCredentialPut'>['body'] {
  const own = scopesIn(scopes);
  return {
    client_id,
    ...(is_public ? { client_secret: null } : client_secret === '' ? {} : { client_secret }),
    ...(method === 'OAUTH2' ? { scopes: own.length === 0 ? null : own } : {}),
  };
}
