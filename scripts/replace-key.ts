/**
 * `npm run replace-key`: for an installation whose master key is lost. Lists the secrets that cannot be read without it.
 * With `-- --remove-secrets`: removes them, and seals new ones with a new key.
 */
import { operatorCommand } from '../server/lib/operator-command.ts';
import { type Lost, listLost, replaceKey } from '../server/maintenance/lost-key.ts';
import { connectionIsUsed } from '../server/platform/database/transfer/transfer.ts';
import { createKeyFile } from '../server/platform/vault/keyring.ts';
import { keyringOf, opens } from '../server/platform/vault/open-vault.ts';
import { Vault } from '../server/platform/vault/vault.ts';
import { onConnection, onDatabase, runScript } from './on-database.ts';

const OPTION = '--remove-secrets';
const WHAT: Record<keyof Lost, string> = {
  connections: 'Connections to reconnect',
  app_credentials: 'OAuth clients to enter again',
  env_variables: 'Environment variables to set again',
  source_secrets: 'Triggers whose source secret has to be entered again',
  destinations: 'Destinations with a new signing secret',
  destination_headers: 'Destinations whose headers have to be entered again',
  identity_providers: 'Identity providers that are disabled until their secret is entered',
  authenticators: 'People who lose their authenticator app',
};

runScript(async () => {
  const options = process.argv.slice(2);
  if (options.some((option) => option !== OPTION)) {
    console.error(`Expected nothing, or ${OPTION}.`);
    return 2;
  }
  if (await onConnection(connectionIsUsed)) {
    console.error('A service uses this database. Stop it first, on all nodes.');
    return 1;
  }
  return onDatabase('replace-key', async (db, config) => {
    const keyring = keyringOf(config);
    if (keyring && (await opens(db, new Vault(keyring)))) {
      console.error('The master key opens the secrets of this database: it is not lost, and nothing was changed.');
      return 1;
    }
    if (options.length === 0) {
      print(await listLost(db));
      console.log(
        `\nNothing was changed. To continue without these secrets: ${operatorCommand('replace-key', OPTION)}`,
      );
      return 0;
    }
    const vault = new Vault(keyring ?? createKeyFile(config.dataDir));
    print(await replaceKey(db, vault));
    console.log(
      `\nThe secrets were removed. Start the service with the new key: it is on hold until \`${operatorCommand('release')}\`.`,
    );
    return 0;
  });
});

function print(lost: Lost): void {
  for (const [what, title] of Object.entries(WHAT) as [keyof Lost, string][]) {
    console.log(`${title}: ${lost[what].length}`);
    if (what !== 'destinations') for (const name of lost[what]) console.log(`  ${name}`);
  }
}
