/** Writes the generated files of clients/typescript: `npm run client`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFiles } from './client/generated-files.ts';

for (const [name, text] of Object.entries(generatedFiles()))
  writeFileSync(join(import.meta.dirname, '../clients/typescript', name), text);
