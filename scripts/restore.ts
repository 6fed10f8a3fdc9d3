/**
 * `npm run restore -- --from <file>`: replaces the embedded database with a backup. The service must not run. The
 * replaced database is kept beside the new one.
 */
import { readConfig } from '../server/config.ts';
import { operatorCommand } from '../server/lib/operator-command.ts';
import { restoreEmbedded } from '../server/platform/database/embedded/restore.ts';
import { Refusal } from '../server/platform/database/refusal.ts';
import { importFile } from '../server/platform/database/transfer/transfer.ts';
import { versionOfProgram } from '../server/processes/program.ts';
import { quiet, runScript, theOption } from './on-database.ts';
import { printed, progressOn } from './transfer-progress.ts';

runScript(async () => {
  const from = theOption('from');
  if (!from) {
    console.error(`Expected a backup: ${operatorCommand('restore', '--from <file>')}`);
    return 2;
  }
  const { dataDir, databaseUrl } = readConfig();
  if (databaseUrl !== undefined)
    throw new Refusal(
      'Only the embedded database can be replaced.',
      `Use ${operatorCommand('import')} with an empty database.`,
    );
  const options = { version: versionOfProgram(), log: quiet, progress: progressOn(process.stderr) };
  const startedMs = performance.now();
  const { done, replaced } = await restoreEmbedded(dataDir, quiet, (to) => importFile(from, to, options));
  console.log(printed('Restored', done, performance.now() - startedMs));
  if (replaced) console.log(`The database before is kept: ${replaced}. Remove it once the restored one is right.`);
  console.log(`The service starts on hold: release it in the console, or by \`${operatorCommand('release')}\`.`);
  return 0;
});
