/**
 * `npm run reset-password -- <email>`: prints a link with which the person of this address sets a new password. With
 * `--second-factor`: removes the person's passkeys, authenticator app and recovery codes instead, for a person who lost
 * them all.
 */
import { Email } from '../contract/account.ts';
import { PASSWORD_RESET_HOURS } from '../contract/limits.ts';
import { removeAll } from '../server/accounts/factors/factors.ts';
import { createLink } from '../server/accounts/password-changes.ts';
import { operatorCommand } from '../server/lib/operator-command.ts';
import { onDatabase, runScript } from './on-database.ts';

const NAME = 'reset-password';
const BY = { name: operatorCommand(NAME), request_id: '', isOperator: true };

runScript(async () => {
  const [address, option, ...more] = process.argv.slice(2);
  const email = Email.safeParse(address);
  if (!email.success || (option !== undefined && option !== '--second-factor') || more.length > 0) {
    console.error(`Expected one email address: ${operatorCommand(NAME, 'ada@example.com [--second-factor]')}`);
    return 2;
  }
  const done = option ? await removeFactors(email.data) : await printLink(email.data);
  if (!done) console.error(`No active member has the address ${email.data}.`);
  return done ? 0 : 1;
});

async function printLink(email: string): Promise<boolean> {
  const link = await onDatabase(NAME, (db, { addresses }) => createLink(db, addresses, email, BY));
  if (!link) return false;
  console.log(
    `Set a new password within ${PASSWORD_RESET_HOURS} hour, with this link, which works once:\n\n${link.url}`,
  );
  return true;
}

async function removeFactors(email: string): Promise<boolean> {
  const removed = await onDatabase(NAME, (db) => removeAll(db, email, BY));
  if (removed === null) return false;
  console.log(`${removed} second factors of ${email} removed, and all sessions ended. The password was not changed.`);
  return true;
}
