/** Explanations of network error codes between the gateway and an app. */
const WORDS: readonly (readonly [code: RegExp, words: string])[] = [
  [/^ECONNREFUSED$/, 'The connection was refused.'],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'The host name could not be resolved.'],
  [/^(?:EHOSTUNREACH|ENETUNREACH)$/, 'The host is unreachable.'],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'The connection was closed before a response arrived.'],
  [/^(?:UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'The connection timed out.'],
  [/^UND_ERR_HEADERS_TIMEOUT$/, 'The app did not respond to the request in time.'],
  [/^UND_ERR_BODY_TIMEOUT$/, 'The response stopped before it was complete.'],
  [/^(?:HPE_|UND_ERR_RES)/, 'The response is not valid HTTP.'],
  [/CERT|SIGNATURE|SELF_SIGNED/, 'The TLS certificate is not trusted.'],
  [/^(?:ERR_SSL|EPROTO)/, 'The TLS handshake failed.'],
];

/** The explanation for the code at the end of a message, if the code is known. */
export function explainNetworkError(message: string): string | undefined {
  const code = /\(([A-Z][A-Z0-9_]+)\)\.?$/.exec(message)?.[1];
  return code === undefined ? undefined : WORDS.find(([known]) => known.test(code))?.[1];
}
