/** `npm run reset`: removes the data folder for good, wherever its database lies. Asks first, unless --yes is given. */
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { readConfig } from '../server/config.ts';
import { eraseEmbedded } from '../server/platform/database/embedded/start.ts';

const { dataDir } = readConfig();
if (!existsSync(dataDir)) {
  console.log(`There is no ${dataDir}.`);
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
