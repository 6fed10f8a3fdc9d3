/** The registry of languages, by the runtimes of functions. A runtime without a language is a type error. */
import path from 'node:path';
import type { Logger } from 'pino';
import type { FunctionRuntime } from '../../../contract/states.ts';
import type { Home } from '../fleet/sandbox-home.ts';
import { javascript } from './javascript.ts';
import type { Interpreter, Language } from './language.ts';
import { python } from './python.ts';

const LANGUAGES: Record<FunctionRuntime, Language> = {
  'nodejs24.x': javascript,
  'nodejs22.x': javascript,
  'python3.12': python,
};

/** The language whose spare processes start with the service. */
export const FIRST_LANGUAGE = javascript;

export const languageOf = (runtime: FunctionRuntime): Language => LANGUAGES[runtime];

/** The interpreters of the languages that need one; each has a folder in `cacheDir`. */
export function openInterpreters(home: Home, cacheDir: string, log: Logger): Map<Language, Interpreter> {
  const interpreters = new Map<Language, Interpreter>();
  for (const language of new Set(Object.values(LANGUAGES))) {
    const { name } = language;
    const interpreter = language.openInterpreter?.({ language, home, cacheDir: path.join(cacheDir, name), log });
    if (interpreter) interpreters.set(language, interpreter);
  }
  return interpreters;
}
