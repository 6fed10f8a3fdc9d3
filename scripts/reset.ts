/** `npm run reset`: deletes the data folder and its database permanently. Asks for confirmation unless --yes is set. */
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { readConfig } from '../server/config.ts';
import { eraseEmbedded } from '../server/platform/database/embedded/start.ts';

const { dataDir } = readConfig();
if (!existsSync(dataDir)) {
  console.log(`${dataDir} does not exist.`);
} else if (process.argv.includes('--yes') || (await confirmed())) {
  await eraseEmbedded(dataDir);
  console.log(`Removed ${dataDir}.`);
}

async function confirmed(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`Remove everything in ${dataDir}, with its database? Type yes: `);
  terminal.close();
  return answer.trim() === 'yes';
}
