import type { LogLevel } from '../../../contract/states.ts';

/** The classes of log lines and of level labels. */
export const LINE_CLASS: Record<LogLevel, string> = {
  debug: '',
  info: '',
  warn: 'bg-warn-bg shadow-[inset_2px_0_0_var(--warn-solid)]',
  error: 'bg-bad-bg shadow-[inset_2px_0_0_var(--bad-solid)]',
};
export const LEVEL_CLASS: Record<LogLevel, string> = {
  debug: 'text-fg-3',
  info: 'text-fg-3',
  warn: 'text-warn-fg',
  error: 'text-bad-fg',
};
