/** The package has compiled files, and a command instead of npm scripts. */
const isPackaged = import.meta.url.endsWith('.js');

/** How an operator runs a script: `npm run export -- --to <file>`, or `npx sluice export --to <file>` in the package. */
export function operatorCommand(script: string, args = ''): string {
  if (isPackaged) return `npx sluice ${script}${args && ` ${args}`}`;
  return `npm run ${script}${args && ` -- ${args}`}`;
}
