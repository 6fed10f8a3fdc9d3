import { describe, expect, it } from 'vitest';
import { readBody, signatureOf } from './signature.ts';

describe('a signature', () => {
  it.each([
    ['Order 4711 not found', 'Order … not found'],
    ['order 019b8d5e-7c00-7a51-8f3e-3d2f6f0c1a01 is gone', 'order … is gone'],
    ['at 2026-01-05T09:00:00.123456Z: failed', 'at …: failed'],
    ['until Mon, 05 Jan 2026 09:00:00 GMT', 'until …'],
    ['until Jan 5, 2026', 'until …'],
    ['retry at 9:05 pm', 'retry at …'],
    ['no route to 10.0.0.12:8080', 'no route to …'],
    ['no route to fe80:0:0:0:1ff:fe23:4567:890a', 'no route to …'],
    ['unknown user ann.b+x@example.com', 'unknown user …'],
    ['see https://docs.example.com/errors/12?x=1', 'see …'],
    ['commit deadbeef01 is missing', 'commit … is missing'],
    ['address 0x7ffe12', 'address …'],
    ['currency "USD" is not supported', 'currency “…” is not supported'],
    ["currency 'USD' is not supported", 'currency “…” is not supported'],
    ['Währung „USD“ unbekannt', 'Währung “…” unbekannt'],
    ['通貨「USD」は無効です', '通貨“…”は無効です'],
    ['ids 1, 2, 3 and 4 are missing', 'ids … and … are missing'],
    ['ids 7 are missing', 'ids … are missing'],
    ['Bearer abcdef123456 is expired', '… is expired'],
    ['password=hunter2 is wrong', 'password=… is wrong'],
    ['key sk_live_51HxAbCdEfGh was revoked', 'key … was revoked'],
    ['the total is 1.234,56 EUR', 'the total is … EUR'],
    ['القيمة ١٢٣ خاطئة', 'القيمة … خاطئة'],
    ['The endpoint returned 404.', 'The endpoint returned 404.'],
    ['failed with status 500 after 30 s', 'failed with status 500 after … s'],
    [
      "Cannot read properties of undefined (reading 'amount')",
      "Cannot read properties of undefined (reading 'amount')",
    ],
    ["KeyError: 'currency'", "KeyError: 'currency'"],
    ["it isn't, and won't be", "it isn't, and won't be"],
    ['two\n  lines\u0000', 'two lines'],
    ['', ''],
  ])('of %j is %j', (message, signature) => {
    expect(signatureOf(message)).toBe(signature);
  });

  it('is the same when it is taken again', () => {
    for (const text of ['Order 4711 "a" not found, see https://x.example/1', 'ids 1, 2'])
      expect(signatureOf(signatureOf(text))).toBe(signatureOf(text));
  });

  it('is bounded, whatever the message is', () => {
    const hostile = [
      'a'.repeat(1_000_000),
      'a1'.repeat(500_000),
      '"'.repeat(100_000),
      '1,'.repeat(100_000),
      '…'.repeat(100_000),
      'a@'.repeat(100_000),
      'ff:'.repeat(100_000),
      '<'.repeat(100_000),
      '\ud800'.repeat(10_000),
      'x '.repeat(500_000),
    ];
    for (const text of hostile) {
      expect(signatureOf(text).length).toBeLessThanOrEqual(240);
      expect(signatureOf(text).isWellFormed()).toBe(true);
      const said = readBody(text);
      expect(signatureOf(said.message).length).toBeLessThanOrEqual(240);
    }
  });
});

describe('a body', () => {
  it.each([
    [
      '{"error":{"code":"card_declined","message":"Your card was declined."}}',
      'card_declined',
      'Your card was declined.',
    ],
    ['{"error":"invalid_currency","message":"Währung?"}', 'invalid_currency', 'Währung?'],
    ['{"errors":[{"code":"missing","field":"currency"}]}', 'missing (currency)', ''],
    ['{"code":422,"message":"no such plan"}', null, 'no such plan'],
    ['{"message":"no such plan"}', null, 'no such plan'],
    ['{"error":"Order 12 is closed"}', null, 'Order 12 is closed'],
    ['{"type":"about:blank","title":"Conflict","detail":"Order is closed"}', null, 'Order is closed'],
    ['[{"message":"first"}]', null, 'first'],
    ['"only text"', null, 'only text'],
    ['{"message":"no such plan","more":"', null, 'no such plan'],
    ['<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>', null, '502 Bad Gateway'],
    ['<p>plain <b>words</b></p>', null, ' plain  words  '],
    ['just words', null, 'just words'],
    ['', null, ''],
    ['\u001f\ufffd\u0008\u0000\u0000\ufffd\ufffd', null, 'binary body'],
  ])('%j says %j and %j', (body, code, message) => {
    expect(readBody(body)).toEqual({ code, message });
  });

  it('with an id as its code has no code', () => {
    expect(readBody('{"code":"019b8d5e-7c00-7a51-8f3e-3d2f6f0c1a01","message":"x"}').code).toBeNull();
  });
});
