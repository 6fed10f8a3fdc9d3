/** How an operator runs a script: the npm package is built with its own command, a clone has npm scripts. */
export function operatorCommand(script: string, args = ''): string {
  if (import.meta.env['VITE_PACKAGED']) return `npx sluice ${script}${args && ` ${args}`}`;
  return `npm run ${script}${args && ` -- ${args}`}`;
}
