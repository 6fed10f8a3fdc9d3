/**
 * `npm run export -- --to <postgres URL | file>`: copies the whole database, as of one moment, while the service runs.
 * The master key is not in it.
 */
import { operatorCommand } from '../server/lib/operator-command.ts';
import { connectionFrom } from '../server/platform/database/database.ts';
import { exportToDatabase, exportToFile } from '../server/platform/database/transfer/transfer.ts';
import { versionOfProgram } from '../server/processes/program.ts';
import { onConnection, quiet, runScript, theOption } from './on-database.ts';
import { printed, progressOn } from './transfer-progress.ts';

runScript(async () => {
  const to = theOption('to');
  if (!to) {
    console.error(
      `Expected a target: ${operatorCommand('export', '--to postgres://user:password@host/database')}, or --to <file>`,
    );
    return 2;
  }
  const options = { version: versionOfProgram(), log: quiet, progress: progressOn(process.stderr) };
  const isDatabase = /^postgres(ql)?:\/\//.test(to);
  const startedMs = performance.now();
  const done = await onConnection(async (from) =>
    isDatabase
      ? exportToDatabase(from, connectionFrom(to), options)
      : { ...(await exportToFile(from, to, options)), isHeld: false },
  );
  console.log(printed('Exported', done, performance.now() - startedMs));
  console.log(
    isDatabase
      ? 'Start nodes with this DATABASE_URL, and with the master key: SLUICE_MASTER_KEY, or the file master.key of the data folder.'
      : 'Keep the master key apart from it: without SLUICE_MASTER_KEY, or the file master.key of the data folder, its secrets can’t be read.',
  );
  if (done.isHeld)
    console.log(
      `A service uses the exported database, so the copy starts on hold: \`${operatorCommand('release')}\` ends that.`,
    );
  return 0;
});
