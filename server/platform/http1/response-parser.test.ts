import { describe, expect, it } from 'vitest';
import { ResponseParser } from './response-parser.ts';

type Parsed = {
  heads: [number, string, string[]][];
  body: string;
  trailers: string[] | undefined;
  parser: ResponseParser;
};

/** The result of parsing these bytes in pieces of `size`; the memory of each piece is reused for the next. */
function parse(text: string, { size = text.length, method = 'GET' } = {}): Parsed {
  const heads: Parsed['heads'] = [];
  const seen: Parsed = {
    heads,
    body: '',
    trailers: undefined,
    parser: new ResponseParser({
      onHead: (...head) => heads.push(head),
      onBody: (part) => {
        seen.body += part.toString('latin1');
      },
      onComplete: (trailers) => {
        seen.trailers = trailers;
      },
    }),
  };
  seen.parser.begin(method);
  const memory = Buffer.alloc(Math.max(size, 1) + 8, '\r\n');
  for (let from = 0; from < text.length; from += size) {
    const length = memory.write(text.slice(from, from + size), 'latin1');
    expect(seen.parser.read(memory, 0, length)).toBe(length);
  }
  return seen;
}

const GOOD: [what: string, text: string, body: string, trailers: string[]][] = [
  ['a length', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello', 'hello', []],
  ['no body', 'HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n', '', []],
  ['a length of 0', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', '', []],
  ['no reason', 'HTTP/1.1 200\r\nContent-Length: 1\r\n\r\nx', 'x', []],
  [
    'chunks',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x="y"\r\n0123456789\r\n0\r\n\r\n',
    'abc0123456789',
    [],
  ],
  [
    'trailers',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n1\r\na\r\n0\r\nX-Sum: 7\r\nx-b:\r\n\r\n',
    'a',
    ['X-Sum', '7', 'x-b', ''],
  ],
  [
    'informational responses',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx',
    'x',
    [],
  ],
];

describe.each(GOOD)('%s', (_, text, body, trailers) => {
  it.each([1, 2, 3, 7, 1000])('in pieces of %d', (size) => {
    const seen = parse(text, { size });
    expect(seen.body).toBe(body);
    expect(seen.trailers).toEqual(trailers);
    expect(seen.parser.keepsAlive).toBe(true);
  });
});

it('headers are unchanged: order, case, duplicates, bytes, trailing blanks', () => {
  const { heads } = parse(
    'HTTP/1.1 200 Très bien\r\nX-B: 1\r\nx-a:\t2 \r\nX-B: é\r\nEmpty:\r\nContent-Length: 0\r\n\r\n',
  );
  expect(heads).toEqual([
    [200, 'Très bien', ['X-B', '1', 'x-a', '2 ', 'X-B', 'é', 'Empty', '', 'Content-Length', '0']],
  ]);
});

describe.each([
  ['line ends before the status line', '\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'],
  [
    'line ends after an informational response',
    'HTTP/1.1 100 Continue\r\n\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
  ],
  ['a head whose lines end in LF', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok'],
  ['such a head, with CR LF in the body', 'HTTP/1.1 200 OK\nX-A: 1\nContent-Length: 4\n\n\r\n\r\n'],
])('%s is tolerated', (_, text) => {
  it.each([1, 2, 3, 1000])('in pieces of %d, and the connection is not reused', (size) => {
    const { heads, trailers, parser } = parse(text, { size });
    expect([heads.at(-1)?.[0], trailers, parser.keepsAlive]).toEqual([200, [], false]);
  });
});

it.each([
  ['gzip, chunked', 'gzip'],
  ['x-gzip,Chunked', 'gzip'],
  ['deflate , chunked', 'deflate'],
  ['identity, chunked', undefined],
  ['chunked', undefined],
])('Transfer-Encoding: %s', (coding, compression) => {
  const { parser, body } = parse(`HTTP/1.1 200 OK\r\nTransfer-Encoding: ${coding}\r\n\r\n2\r\nok\r\n0\r\n\r\n`);
  expect([parser.compression, body, parser.keepsAlive]).toEqual([compression, 'ok', true]);
});

it('a response to HEAD has no body, despite a length', () => {
  expect(parse('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n', { method: 'HEAD' }).trailers).toEqual([]);
  expect(parse('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', { method: 'HEAD' }).trailers).toEqual([]);
});

it('a body without a length ends with the connection', () => {
  const seen = parse('HTTP/1.1 200 OK\r\n\r\nuntil the end');
  expect([seen.body, seen.trailers, seen.parser.endsWithConnection]).toEqual(['until the end', undefined, true]);
  seen.parser.finish();
  expect([seen.trailers, seen.parser.keepsAlive]).toEqual([[], false]);
});

it.each([
  ['HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', false],
  ['HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 0\r\n\r\n', false],
  ['HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n', false],
  ['HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 0\r\n\r\n', true],
])('%j: whether the connection is kept', (text, kept) => {
  expect(parse(text).parser.keepsAlive).toBe(kept);
});

it('stops at the end of the response', () => {
  const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
  const { parser } = parse('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  parser.begin('GET');
  expect(parser.read(Buffer.from(`${whole}more`), 0, whole.length + 4)).toBe(whole.length);
});

describe.each([
  ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['HTTP/2', 'HTTP/2 200 OK\r\n\r\n'],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
  ['a status below 100', 'HTTP/1.1 099 OK\r\n\r\n'],
  ['a change of protocol that was not requested', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
  ['a control character in the reason', 'HTTP/1.1 200 O\x07K\r\n\r\n'],
  ['lines with both ends', 'HTTP/1.1 200 OK\nContent-Length: 1\r\n\r\nx'],
  ['lines with both ends, the other way round', 'HTTP/1.1 200 OK\r\nContent-Length: 1\n\nx\r\n\r\n'],
  ['lines with both ends before the end of the head', 'HTTP/1.1 200 OK\nX-A: 1\r\nContent-Length: 1\n\nx'],
  ['many line ends before the status line', `${'\r\n'.repeat(5)}HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`],
  ['a blank before the status line', ' HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ['chunks in LF after a head in LF', 'HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n1\nx\n0\n\n\r\n'],
  ['chunked twice', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n'],
  ['a coding after chunked', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n'],
  ['an unknown coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: zip, chunked\r\n\r\n0\r\n\r\n'],
  ['two compressions', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, gzip, chunked\r\n\r\n0\r\n\r\n'],
  ['a bare CR in a value', 'HTTP/1.1 200 OK\r\nX-A: 1\rX-B: 2\r\n\r\n'],
  ['a bare LF in a value', 'HTTP/1.1 200 OK\r\nX-A: 1\nX-B: 2\r\n\r\n'],
  ['a NUL', 'HTTP/1.1 200 OK\r\nX-A: \0\r\n\r\n'],
  ['a folded line', 'HTTP/1.1 200 OK\r\nX-A: 1\r\n folded\r\n\r\n'],
  ['a space before the colon', 'HTTP/1.1 200 OK\r\nX-A : 1\r\n\r\n'],
  ['a line without a colon', 'HTTP/1.1 200 OK\r\nX-A\r\n\r\n'],
  ['a line without a name', 'HTTP/1.1 200 OK\r\n: a\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx'],
  ['a list of lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\nx'],
  ['a length with a sign', 'HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\nx'],
  [
    'a length and chunks',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n',
  ],
  ['an invalid size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ['no size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\nabc\r\n'],
  ['a size that overflows', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'f'.repeat(17)}\r\n`],
  ['a size that ends in LF', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\nabc\r\n0\r\n\r\n'],
  ['a chunk longer than its size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n'],
  ['an endless size', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(5000)}`],
  ['an invalid trailer', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n X: 1\r\n\r\n'],
  ['an endless head', `HTTP/1.1 200 OK\r\nX-A: ${'x'.repeat(66_000)}`],
])('%s is refused', (_, text) => {
  it.each([1, 3, 1000, 70_000])('in pieces of %d', (size) => {
    expect(() => parse(text, { size })).toThrow();
  });
});
