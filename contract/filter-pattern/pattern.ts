/**
 * Filter patterns for logs: the complete syntax of CloudWatch Logs. The first character of a pattern selects its kind:
 *
 *   ERROR -"health check"                 terms   (terms.ts)
 *   { $.status >= 500 && $.path = "/a*" } JSON    (json.ts)
 *   [ip, ..., status = 5*, bytes]         fields  (fields.ts)
 *
 * Matching is case-sensitive. `%…%` is a regular expression wherever a word may appear (regex.ts). Patterns never run
 * on a backtracking engine: time is linear in the length of the event. The service passes RE2 as the engine
 * (server/functions/logs/log-pattern.ts). The console only describes patterns in words and needs no engine.
 * Source of the rules: "Filter pattern syntax", CloudWatch Logs user guide.
 */

import { readFieldsPattern } from './fields.ts';
import { readJsonPattern } from './json.ts';
import type { FilterPattern } from './reader.ts';
import { PatternReader, type RegexEngine } from './reader.ts';
import { readTermsPattern } from './terms.ts';

/**
 * Parses a pattern, for use on many messages. The empty pattern matches every message. Throws PatternError with the
 * position of the first invalid character.
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
