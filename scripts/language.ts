/**
 * Idioms that readers of a technical product do not expect, each with its replacement (docs/internals/glossary.md). Text, names
 * and file names are checked in the same way: `wasTold` and `was-told.ts` are read as "was Told".
 */

/** Patterns of whole words, each with the field's term. */
export const IDIOMS: readonly [pattern: string, instead: string][] = [
  ['told|tells?|telling', 'report, return, notify, describe, show'],
  ['nobody|whoever', 'name the user, the caller, the node; or use the passive'],
  ["of (?:its|their|his|her|one['’]s) own", 'own, separate, dedicated'],
  ['anew|lately', 'again; recently, recent'],
  ['go(?:es|ing)? on|went on|gone on', 'continue, proceed, run, be in progress'],
  ['by (?:itself|themselves|himself)', 'automatically'],
  ['is there|are there|such a one', 'exists, is present, is stored'],
  ['mend(?:s|ed|ing)?', 'fix, repair, correct'],
  ['look(?:s|ed|ing)? after|see(?:s|n)? to', 'manage, handle, ensure'],
  ['(?:leave|leaves|left|leaving) alone', 'skip, leave unchanged'],
  ['tak(?:e|es|en|ing) in|took in', 'accept, read, include'],
  ['hand(?:s|ed|ing)? over', 'pass, transfer'],
  ['stands?(?! for)|stood', 'is, is displayed, is stored, remains'],
  ['puts? in', 'insert, add'],
  ['so (?:many|much)', 'a number, a limit'],
  ['given up', 'retries exhausted, abandoned'],
  ['let by', 'drain, pass through'],
  ['neighbours?', 'node, adjacent'],
  ['hears?|heard', 'receive, be notified'],
  ['news', 'message, change, notification'],
  ['keeper', 'capture, manager, store'],
];

const ANY = new RegExp(`\\b(?:${IDIOMS.map(([pattern]) => pattern).join('|')})\\b`, 'gi');

/** The position of an idiom. Line 0 is the name of the file. */
export type Finding = { path: string; line: number; idiom: string; text: string };

/** `wasTold_at` → `was Told at`. */
const splitWords = (text: string): string =>
  text.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').replaceAll(/(?<=[a-zA-Z0-9])_(?=[a-zA-Z0-9])/g, ' ');

/** Finds the idioms in a file's name and in every line. */
export function findIdioms(path: string, content: string): Finding[] {
  const lines = [path.replaceAll(/[-/.]/g, ' '), ...content.split('\n')];
  return lines.flatMap((text, line) =>
    [...splitWords(text).matchAll(ANY)].map(([idiom]) => ({
      path,
      line,
      idiom: idiom.toLowerCase(),
      text: text.trim(),
    })),
  );
}

/** True for files written by hand: code, pages, styles, settings; false for lockfiles, icons and licences. */
export function isChecked(path: string): boolean {
  return /\.(?:tsx?|m?js|md|css|sql|json|html|py|wat)$/.test(path) && !EXEMPT.includes(path);
}

/** Files that list the idioms, or are generated. */
const EXEMPT = ['scripts/language.ts', 'scripts/language.test.ts', 'docs/internals/glossary.md', 'package-lock.json'];
