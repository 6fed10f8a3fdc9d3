/** console, process.stdout and process.stderr of a function: each line is logged to the run that wrote it. */
import type { LogLevel } from '../../../contract/states.ts';
import { deno } from './deno.ts';
import { currentScope, say } from './scope.ts';

const LEVELS = { debug: 'debug', trace: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const;

export function replaceConsole(): void {
  const write =
    (level: LogLevel) =>
    (...values: unknown[]) =>
      say(level, format(values));
  const info = write('info');
  const counts = new Map<string, number>();
  const timers = new Map<string, number>();
  const sinceStart = (label: string) =>
    `${label}: ${(performance.now() - (timers.get(label) ?? performance.now())).toFixed(3)}ms`;
  Object.assign(console, {
    ...Object.fromEntries(Object.entries(LEVELS).map(([name, level]) => [name, write(level)])),
    dir: (value: unknown, options?: Record<string, unknown>) => info(deno.inspect(value, options)),
    dirxml: info,
    table: info,
    assert: (holds: unknown, ...values: unknown[]) => {
      if (!holds) say('error', ['Assertion failed', ...(values.length ? [format(values)] : [])].join(': '));
    },
    count: (label = 'default') => {
      counts.set(label, (counts.get(label) ?? 0) + 1);
      info(`${label}: ${counts.get(label)}`);
    },
    countReset: (label = 'default') => counts.delete(label),
    time: (label = 'default') => timers.set(label, performance.now()),
    timeLog: (label = 'default', ...values: unknown[]) => info(sinceStart(label), ...values),
    timeEnd: (label = 'default') => {
      info(sinceStart(label));
      timers.delete(label);
    },
    group: (...values: unknown[]) => {
      if (values.length) info(...values);
      currentScope().indent += '  ';
    },
    groupEnd: () => {
      const scope = currentScope();
      scope.indent = scope.indent.slice(2);
    },
  });
  replaceStream(deno.stdout, 'info');
  replaceStream(deno.stderr, 'error');
}

function replaceStream(stream: typeof deno.stdout, level: LogLevel): void {
  const decoder = new TextDecoder();
  stream.writeSync = (bytes) => {
    say(level, decoder.decode(bytes).replace(/\n$/, ''));
    return bytes.length;
  };
  stream.write = async (bytes) => stream.writeSync(bytes);
}

/** Formats like console.log: printf placeholders in a first string, inspected values, separated by spaces. */
function format(values: unknown[]): string {
  let rest = values;
  const parts: string[] = [];
  const [first] = values;
  if (typeof first === 'string' && values.length > 1) {
    let used = 1;
    const text = first.replace(/%([sdifjoOc%])/g, (mark, kind: string) => {
      if (kind === '%') return '%';
      if (used >= values.length) return mark;
      return inserted(kind, values[used++]);
    });
    parts.push(text);
    rest = values.slice(used);
  }
  return [...parts, ...rest.map(shown)].join(' ');
}

const shown = (value: unknown) => (typeof value === 'string' ? value : deno.inspect(value, { colors: false }));

function inserted(kind: string, value: unknown): string {
  switch (kind) {
    case 's':
      return shown(value);
    case 'd':
      return typeof value === 'bigint' ? `${value}n` : String(Number(value));
    case 'i':
      return typeof value === 'bigint' ? `${value}n` : String(Number.parseInt(String(value), 10));
    case 'f':
      return String(Number.parseFloat(String(value)));
    case 'j':
      return JSON.stringify(value) ?? 'undefined';
    case 'c':
      return '';
    default:
      return deno.inspect(value, { colors: false });
  }
}
