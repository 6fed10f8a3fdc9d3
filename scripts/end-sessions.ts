/** `npm run end-sessions -- <email>`: signs a person out everywhere; `--all` instead signs out all people. */
import { Email } from '../contract/account.ts';
import { endSessions } from '../server/accounts/session-ends.ts';
import { operatorCommand } from '../server/lib/operator-command.ts';
import { onDatabase, runScript } from './on-database.ts';

runScript(async () => {
  const [given] = process.argv.slice(2);
  const email = given === '--all' ? null : Email.safeParse(given).data;
  if (process.argv.length !== 3 || email === undefined) {
    console.error(`Expected one email address, or --all: ${operatorCommand('end-sessions', 'ada@example.com')}`);
    return 2;
  }
  const ended = await onDatabase('end-sessions', (db) => endSessions(db, email, operatorCommand('end-sessions')));
  if (ended === null) {
    console.error(`No active member has the address ${email}.`);
    return 1;
  }
  console.log(`Sessions ended: ${ended}`);
  return 0;
});
