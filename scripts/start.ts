/** `npm start`: builds the console if its inputs changed, then runs the service in this process. */
import { buildIfChanged } from './build-if-changed.ts';

buildIfChanged();
await import('../server/main.ts');
