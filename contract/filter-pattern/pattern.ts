/**
 * Filter patterns of the log service, in full. A pattern's first character says which of three kinds it is:
 *
 *   ERROR -"health check"                 terms   (terms.ts)
 *   { $.status >= 500 && $.path = "/a*" } JSON    (json.ts)
 *   [ip, ..., status = 5*, bytes]         fields  (fields.ts)
 *
 * Everything is case-sensitive. `%…%` is a regular expression wherever a word may appear (regex.ts). No part of
 * a pattern ever reaches a backtracking engine: time is linear in the length of the event. The service brings RE2
 * (server/functions/logs/log-pattern.ts); the console, which only reads patterns to say what they mean, needs none.
 * Source of the rules: "Filter pattern syntax", CloudWatch Logs user guide.
 */

import { readFieldsPattern } from './fields.ts';
import { readJsonPattern } from './json.ts';
import type { FilterPattern } from './reader.ts';
import { PatternReader, type RegexEngine } from './reader.ts';
import { readTermsPattern } from './terms.ts';

/**
 * Reads a pattern once, for use on many messages. The empty pattern takes every message. Throws PatternError, with the
 * position of the first character that can't be read.
 */
export function readFilterPattern(text: string, engine: RegexEngine): FilterPattern {
  const reader = new PatternReader(text, engine);
  reader.skipSpace();
  switch (reader.next) {
    case '{':
      return readJsonPattern(reader);
    case '[':
      return readFieldsPattern(reader);
    default:
      return readTermsPattern(reader);
  }
}
