/** What the main process and the service processes have in common. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Logger, pino } from 'pino';
import { ConfigError } from '../lib/config-error.ts';
import { Refusal } from '../platform/database/refusal.ts';
import type { Ready } from './messages.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** A running service, of one process or several. */
export type Program = Ready & {
  /** Drains, then stops. */
  stop(): Promise<void>;
  /** Stops without waiting for open requests and runs. Also hurries a stop that has begun. */
  stopNow(): Promise<void>;
};

export const CONSOLE_FOLDER = here('../../dist');

/** The process ends if a stop without waiting takes longer. */
export const FORCED_EXIT_MS = 10_000;

export function versionOfProgram(): string {
  return (JSON.parse(readFileSync(here('../../package.json'), 'utf8')) as { version: string }).version;
}

export function createLog(level: string): Logger {
  const redact = ['*.authorization', '*.cookie', '*.password', '*.token', '*.key', '*.signing_secret', 'req.headers'];
  return pino({ level, redact });
}

/** Why a service process could not start, in words for the operator. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}

/** Describes errors that the operator can fix in a sentence, others with their stack. */
export function explain(error: unknown): string {
  if (error instanceof Refusal) return `${error.message}\n${error.hint}`;
  if (error instanceof StartFailure) return error.message;
  if (error instanceof ConfigError) return `${error.message}\nSettings are described in docs/reference/operating.md.`;
  if (
    error instanceof Error &&
    'port' in error &&
    'code' in error &&
    (error.code === 'EADDRINUSE' || error.code === 'EACCES')
  ) {
    const { port } = error;
    const why = error.code === 'EADDRINUSE' ? 'is in use by another program' : 'can’t be opened by this user';
    return `Port ${port} ${why}.\nSet SLUICE_PORT to another one.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
