import { withBlanks } from '../apps/fields.ts';
import { fill } from '../apps/template.ts';
import type { AuthMethodPart } from './auth-method.ts';
import { tokensOf } from './login.ts';
import { signed, UNSIGNED } from './sigv4.ts';

/** The entered values are placed in each request by the app's definition, sign it, or are exchanged for a token. */
export const apiKey: AuthMethodPart<'API_KEY'> = {
  async begin(services, subject, fields) {
    return { kind: 'complete', credentials: { fields, tokens: await tokensOf(services, subject, fields, 'connect') } };
  },
  async refresh(services, subject, { fields }) {
    return { fields, tokens: await tokensOf(services, subject, fields, 'refresh') };
  },
  canRefresh: ({ definition }) => definition.login !== undefined,
  async sign(_services, { definition: { aws, fields } }, credentials) {
    if (!aws) return undefined;
    const values = withBlanks(fields, credentials.fields);
    const [access_key_id, secret_access_key, token, region, service] = [
      fill(aws.access_key_id, values),
      fill(aws.secret_access_key, values),
      fill(aws.session_token, values),
      fill(aws.region, values),
      fill(aws.service, values),
    ];
    const keys = { access_key_id, secret_access_key, session_token: token === '' ? null : token };
    return ({ method, url, headers, body }) =>
      signed(keys, { region, service }, { method, url, headers, body: body === undefined ? UNSIGNED : body });
  },
};
