import { badRequest } from '../../lib/failure.ts';
import { withBlanks } from '../apps/fields.ts';
import { fill, placeholders } from '../apps/template.ts';
import type { AuthMethodPart } from './auth-method.ts';
import { tokensOf } from './login.ts';

/** The entered values are sent unchanged. A user name must not contain a colon (RFC 7617, section 2). */
export const basic: AuthMethodPart<'BASIC'> = {
  async begin(services, subject, fields) {
    const { definition } = subject;
    if (fill(definition.username, withBlanks(definition.fields, fields)).includes(':')) {
      const name = placeholders(definition.username).find((each) => fields[each]?.includes(':'));
      throw badRequest(`fields.${name ?? 'username'}: expected a user name without a colon`);
    }
    return { kind: 'complete', credentials: { fields, tokens: await tokensOf(services, subject, fields, 'connect') } };
  },
  async refresh(services, subject, { fields }) {
    return { fields, tokens: await tokensOf(services, subject, fields, 'refresh') };
  },
  canRefresh: ({ definition }) => definition.login !== undefined,
};
