/** A service of one process: this one. */
import type { Logger } from 'pino';
import { type ServiceProcess, startApp } from '../app.ts';
import type { Config } from '../config.ts';
import { CONSOLE_FOLDER, type Program } from './program.ts';

export type HereOptions = { log: Logger; version: string; process?: ServiceProcess };

export async function startHere(config: Config, options: HereOptions): Promise<Program> {
  const { port, welcomeUrl, services, stop, stopNow } = await startApp(config, {
    ...options,
    consoleFolder: CONSOLE_FOLDER,
  });
  const { mode, isFallback, advice } = services.runtime;
  return { port, welcomeUrl, sandbox: { mode, isFallback, advice }, stop, stopNow };
}
