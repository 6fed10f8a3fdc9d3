/** `npm run create-account -- <name> <email>`: creates an account and prints the link with which its owner joins it. */
import { Email } from '../contract/account.ts';
import { Name } from '../contract/fields.ts';
import { INVITE_DAYS } from '../contract/limits.ts';
import { welcomeUrl } from '../server/accounts/invitations.ts';
import { createInvited } from '../server/accounts/memberships.ts';
import { operatorCommand } from '../server/lib/operator-command.ts';
import { onDatabase, runScript } from './on-database.ts';

runScript(async () => {
  const [, , first, second] = process.argv;
  const [name, email] = [Name.safeParse(first), Email.safeParse(second)];
  if (process.argv.length !== 4 || !name.success || !email.success) {
    console.error(
      `Expected a name and an email address: ${operatorCommand('create-account', '"Globex" ada@example.com')}`,
    );
    return 2;
  }
  const link = await onDatabase('create-account', async (db, { addresses }) =>
    welcomeUrl(addresses, await createInvited(db, name.data, email.data, operatorCommand('create-account'))),
  );
  console.log(`${email.data} becomes the owner of ${name.data} with this link, within ${INVITE_DAYS} days:\n\n${link}`);
  return 0;
});
