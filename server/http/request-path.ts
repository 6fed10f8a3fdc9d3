const ENCODED = /%([0-9a-f]{2})/gi;
const UNRESERVED = /[A-Za-z0-9._~-]/;

/** Decodes percent-encoded letters, digits and `-._~`, which name the same resource (RFC 3986, section 6.2.2.2). */
export function decodeUnreserved(path: string): string {
  if (!path.includes('%')) return path;
  return path.replace(ENCODED, (encoded, hex: string) => {
    const char = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(char) ? char : encoded;
  });
}

/**
 * Returns a function that decodes only the first segments of a request target, which select the entry point and the
 * app. The rest is the native path of the app and stays unchanged byte for byte.
 */
export function leadingSegmentsDecoder(segments: number): (url: string) => string {
  const leading = new RegExp(`^(?:/[^/?]*){0,${segments}}`);
  return (url) => {
    const at = url.indexOf('%');
    if (at < 0) return url;
    const head = leading.exec(url)?.[0] ?? '';
    return at < head.length ? decodeUnreserved(head) + url.slice(head.length) : url;
  };
}
