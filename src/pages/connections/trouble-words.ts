/** What a program's code for trouble on the way to an app means. */
const WORDS: readonly (readonly [code: RegExp, words: string])[] = [
  [/^ECONNREFUSED$/, 'Nothing takes connections at its address.'],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'The name in its address was not found.'],
  [/^(?:EHOSTUNREACH|ENETUNREACH)$/, 'There is no way to its address.'],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'It closed the connection before it had answered.'],
  [/^(?:UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'It did not take the connection.'],
  [/^UND_ERR_HEADERS_TIMEOUT$/, 'It took the request and said nothing.'],
  [/^UND_ERR_BODY_TIMEOUT$/, 'Its answer stopped on the way.'],
  [/^(?:HPE_|UND_ERR_RES)/, 'The response is not valid HTTP.'],
  [/CERT|SIGNATURE|SELF_SIGNED/, 'Its certificate is not trusted.'],
  [/^(?:ERR_SSL|EPROTO)/, 'It speaks no TLS that is understood.'],
];

/** A sentence for the code at the end of what the service says, if it is one that is known. */
export function troubleWords(message: string): string | undefined {
  const code = /\(([A-Z][A-Z0-9_]+)\)\.?$/.exec(message)?.[1];
  return code === undefined ? undefined : WORDS.find(([known]) => known.test(code))?.[1];
}
