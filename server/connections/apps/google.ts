import { type JwtMethod, type MethodDefinition, oauth2, secretFile, text } from './definition.ts';

/** Where Google sends a notification of a channel that was opened with a token of ours. */
export const GOOGLE_CHANNEL = { kind: 'token', header: 'X-Goog-Channel-Token' } as const;

/**
 * What every Google API takes: a person's consent, or a service account's key. Gmail belongs to people only, so there
 * the service account acts for one of them (`subject`), as the administrator of the domain allows.
 */
export function google(scopes: string[], { subject = false } = {}): MethodDefinition[] {
  return [
    oauth2({
      authorize_url: 'https://accounts.google.com/o/oauth2/v2/auth',
      token_url: 'https://oauth2.googleapis.com/token',
      scopes,
      // Without both there is no refresh token.
      authorize_params: { access_type: 'offline', prompt: 'consent' },
    }),
    serviceAccount(scopes, subject),
  ];
}

const serviceAccount = (scopes: string[], subject: boolean): JwtMethod => ({
  method: 'JWT',
  fields: [
    text('client_email', 'Service account', 'The client_email of its key file.', '[^@\\s]+@[^@\\s]+'),
    secretFile('private_key', 'Private key', 'Its whole JSON key file, or the private_key in it.'),
    ...(subject ? [text('subject', 'Person', 'The e-mail address it acts for.', '[^@\\s]+@[^@\\s]+')] : []),
  ],
  token: {
    algorithm: 'RS256',
    key: '{private_key}',
    key_encoding: 'pem',
    header: {},
    claims: {
      iss: '{client_email}',
      aud: 'https://oauth2.googleapis.com/token',
      ...(subject ? { sub: '{subject}' } : {}),
    },
    lives_seconds: 3600,
  },
  exchange: {
    url: 'https://oauth2.googleapis.com/token',
    style: 'rfc7523',
    scopes,
    token_name: 'access_token',
    capture: {},
  },
  put: [{ in: 'header', name: 'Authorization', template: 'Bearer {access_token}' }],
});
