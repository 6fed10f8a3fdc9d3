/** Form values of a client that an account registered with an app. */
import * as z from 'zod/mini';
import type { CallInput, Reply } from '../../../api/operation.ts';

export type Credential = Reply<'appCredentialList'>['credentials'][number];

const PRINTABLE = 'Use ASCII characters only.';
const plain = z.string().check(
  z.trim(),
  z.refine((text) => /^[\x20-\x7e]*$/.test(text), PRINTABLE),
);

/** `kept`: a secret is stored and stays if the field is empty. */
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

/** Splits at spaces, commas and line ends: pasted lists use any of them. */
export const scopesIn = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))];

/** The request body. An empty secret keeps the stored one; empty scopes mean the app's default scopes. */
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
