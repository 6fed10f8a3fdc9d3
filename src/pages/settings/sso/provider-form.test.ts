import { describe, expect, it } from 'vitest';
import { bodyOf, schema, typedOf } from './provider-form.ts';

const typed = {
  ...typedOf(undefined),
  name: 'Northwind',
  issuer: 'https://id.example.com',
  client_id: 'sluice',
  allowed_domains: ' example.com,  example.org ',
  role_claim: 'groups',
  role_mapping: 'ops = admin\n\ncn=root,dc=example = OWNER',
};

describe('the form of an identity provider', () => {
  it('reads domains, scopes and a role a line', () => {
    expect(bodyOf(schema.parse(typed))).toEqual({
      name: 'Northwind',
      issuer: 'https://id.example.com',
      client_id: 'sluice',
      allowed_domains: ['example.com', 'example.org'],
      scopes: [],
      creates_members: false,
      default_role: 'VIEWER',
      role_claim: 'groups',
      role_mapping: [
        { value: 'ops', role: 'ADMIN' },
        { value: 'cn=root,dc=example', role: 'OWNER' },
      ],
    });
  });

  it('rejects a line without a role', () => {
    for (const role_mapping of ['ops', 'ops = KING', '= ADMIN'])
      expect(schema.safeParse({ ...typed, role_mapping }).success, role_mapping).toBe(false);
  });
});
