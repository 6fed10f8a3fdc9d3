/** The part of a source's request that filters and templates can read. Credentials are masked. */
export type RequestValues = {
  method: string;
  /** Below the webhook URL: empty, or begins with a slash. */
  path: string;
  /** Without the question mark. */
  query: string;
  /** By name, in lower case. */
  headers: Record<string, string>;
};

/** The parameters of a query or a form by name; one that is given several times is an array. */
export function queryValues(query: string): Record<string, string | string[]> {
  const values = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    const before = values.get(name);
    if (Array.isArray(before)) before.push(value);
    else values.set(name, before === undefined ? value : [before, value]);
  }
  return Object.fromEntries(values);
}

const SIGNATURE = /signature|hmac|digest|idempotency/;
const CREDENTIAL =
  /(?:^|[-_.])(?:auth|authorization|authentication|cookie2?|credentials?|jwt|passw(?:or)?d|secret|session|token)(?:$|[-_.])|(?:api|access|account|auth|functions|private|subscription)[-_]?key/;

/** Whether values of a header or query parameter of this name are credentials. Signatures are not. */
export function isCredentialName(name: string): boolean {
  const plain = name.replace(/([a-z\d])([A-Z])/g, '$1-$2').toLowerCase();
  return CREDENTIAL.test(plain) && !SIGNATURE.test(plain);
}
