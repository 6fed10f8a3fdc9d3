/**
 * Filter patterns of the log service, in full. A pattern's first character says which of three kinds it is:
 *
 *   ERROR -"health check"                 terms   (filter-terms.ts)
 *   { $.status >= 500 && $.path = "/a*" } JSON    (filter-json.ts)
 *   [ip, ..., status = 5*, bytes]         fields  (filter-fields.ts)
 *
 * Everything is case-sensitive. `%…%` is a regular expression wherever a word may stand (filter-regex.ts). No part of
 * a pattern ever reaches a backtracking engine: time is linear in the length of the event.
 * Source of the rules: "Filter pattern syntax", CloudWatch Logs user guide; filter-pattern-cases.json holds examples.
 */
import { readFieldsPattern } from './filter-fields.ts';
import { readJsonPattern } from './filter-json.ts';
import { readTermsPattern } from './filter-terms.ts';
import { PatternReader } from './pattern-reader.ts';

/**
 * Reads a pattern once, for use on many messages. The empty pattern takes every message. Throws PatternError, with the
 * position of the first character that can't be read.
 */
export function compileFilterPattern(text: string): (message: string) => boolean {
  const reader = new PatternReader(text);
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
