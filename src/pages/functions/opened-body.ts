import { parseExactly } from '../../../contract/text/exact-json.ts';

/** A JSON body is compared by field, with its long numbers; another one as text. */
export function openedBody(body: string): unknown {
  try {
    return parseExactly(body);
  } catch {
    return body;
  }
}
