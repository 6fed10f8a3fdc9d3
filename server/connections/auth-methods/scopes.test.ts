import { expect, it } from 'vitest';
import { missingScopes } from './scopes.ts';

it.each([
  [['read', 'write'], 'read write', []],
  [['read', 'write'], 'read,other', ['write']],
  [['read'], undefined, []],
  [['read'], '', []],
  [['read'], ['read'], []],
  [['openid', 'offline_access', 'read'], 'READ', []],
  [['https://graph.example.com/User.Read'], 'User.Read', []],
  [
    ['https://www.example.com/auth/drive'],
    'https://www.example.com/auth/drive.readonly',
    ['https://www.example.com/auth/drive'],
  ],
] as const)('of %j, with %j granted, %j are missing', (wanted, granted, missing) => {
  expect(missingScopes(wanted, granted)).toEqual(missing);
});
