/** `npm run import -- --from <file>`: fills the empty database of the service with an export. */
import { operatorCommand } from '../server/lib/operator-command.ts';
import { importFile } from '../server/platform/database/transfer/transfer.ts';
import { versionOfProgram } from '../server/processes/program.ts';
import { onConnection, quiet, runScript, theOption } from './on-database.ts';
import { printed, progressOn } from './transfer-progress.ts';

runScript(async () => {
  const from = theOption('from');
  if (!from) {
    console.error(`Expected a file: ${operatorCommand('import', '--from <file>')}`);
    return 2;
  }
  const options = { version: versionOfProgram(), log: quiet, progress: progressOn(process.stderr) };
  const startedMs = performance.now();
  const done = await onConnection((to) => importFile(from, to, options), { isNew: true });
  console.log(printed('Imported', done, performance.now() - startedMs));
  console.log(
    `Start the service with the master key that the exported one had. It starts on hold: release it in the console, or by \`${operatorCommand('release')}\`.`,
  );
  return 0;
});
