/** `npm run reset-password -- <email>`: prints a link with which the person of this address sets a new password. */
import { Email } from '../contract/account.ts';
import { PASSWORD_RESET_HOURS } from '../contract/limits.ts';
import { createLink } from '../server/accounts/password-changes.ts';
import { onDatabase, runScript } from './on-database.ts';

runScript(async () => {
  const email = Email.safeParse(process.argv[2]);
  if (process.argv.length !== 3 || !email.success) {
    console.error('Expected one email address: npm run reset-password -- ada@example.com');
    return 2;
  }
  const by = { name: 'npm run reset-password', request_id: '' };
  const link = await onDatabase('reset-password', (db, { addresses }) => createLink(db, addresses, email.data, by));
  if (!link) {
    console.error(`No active member has the address ${email.data}.`);
    return 1;
  }
  console.log(
    `Set a new password within ${PASSWORD_RESET_HOURS} hour, with this link, which works once:\n\n${link.url}`,
  );
  return 0;
});
