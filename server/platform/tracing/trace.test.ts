import { describe, expect, it } from 'vitest';
import { replaceTrace, traceIdOf, traceIn, traceOfPairs, withTrace } from './trace.ts';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const GOOD = `00-${ID}-${PARENT}-01`;

describe('traceparent', () => {
  it.each([
    ['sampled', GOOD, GOOD],
    ['not sampled', `00-${ID}-${PARENT}-00`, `00-${ID}-${PARENT}-00`],
    ['with a random id', `00-${ID}-${PARENT}-03`, `00-${ID}-${PARENT}-03`],
    ['with flags that are not defined', `00-${ID}-${PARENT}-ff`, `00-${ID}-${PARENT}-03`],
    ['of a later version', `01-${ID}-${PARENT}-01`, GOOD],
    ['of a later version with more fields', `cc-${ID}-${PARENT}-01-what-the-future-adds`, GOOD],
    ['between blanks', ` ${GOOD}\t`, GOOD],
  ])('%s is read', (_, given, read) => {
    expect(traceIn({ traceparent: given })).toEqual({ traceparent: read, tracestate: null });
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['of the version ff', `ff-${ID}-${PARENT}-01`],
    ['of version 00 with more fields', `${GOOD}-more`],
    ['with more text', `${GOOD}.`],
    ['in capitals', GOOD.toUpperCase()],
    ['with a trace id of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['with a parent id of zeros', `00-${ID}-${'0'.repeat(16)}-01`],
    ['with a short trace id', `00-${ID.slice(1)}-${PARENT}-01`],
    ['with a long parent id', `00-${ID}-${PARENT}0-01`],
    ['with other characters', `00-${ID.replace('4', 'g')}-${PARENT}-01`],
    ['without flags', `00-${ID}-${PARENT}`],
    ['sent twice', `${GOOD}, ${GOOD}`],
    ['a list', [GOOD, GOOD]],
    ['very long', `01-${ID}-${PARENT}-01-${'x'.repeat(100_000)}`],
    ['followed by a line', `${GOOD}\n${GOOD}`],
  ])('%s is ignored', (_, given) => {
    expect(traceIn({ traceparent: given, tracestate: 'a=b' })).toBeUndefined();
  });

  it('has the trace id', () => {
    expect(traceIdOf(GOOD)).toBe(ID);
  });
});

describe('tracestate', () => {
  it.each([
    ['one member', 'a=b', 'a=b'],
    ['several headers', ['a=b', 'c=d'], 'a=b,c=d'],
    ['512 characters', `a=${'x'.repeat(510)}`, `a=${'x'.repeat(510)}`],
    ['513 characters', `a=${'x'.repeat(511)}`, null],
    ['other characters', 'a=ü', null],
    ['a line break', 'a=b\r\nx-other: c', null],
    ['nothing', '', null],
  ])('with %s', (_, given, read) => {
    expect(traceIn({ traceparent: GOOD, tracestate: given })?.tracestate).toBe(read);
  });
});

describe('a list of headers', () => {
  it('is read in any case; a repeated traceparent is invalid', () => {
    const read = traceOfPairs([
      ['TraceParent', GOOD],
      ['TRACESTATE', 'a=b'],
      ['tracestate', 'c=d'],
    ]);
    expect(read).toEqual({ traceparent: GOOD, tracestate: 'a=b,c=d' });
    expect(
      traceOfPairs([
        ['traceparent', GOOD],
        ['Traceparent', GOOD],
      ]),
    ).toBeUndefined();
  });

  it('gets another context, which replaces the given one', () => {
    const trace = { traceparent: GOOD, tracestate: null };
    const given = [
      ['A', '1'],
      ['Traceparent', 'old'],
      ['tracestate', 'old'],
      ['traceparent', 'older'],
      ['B', '2'],
    ] as const;
    const flat = given.flat();
    replaceTrace(flat, trace);
    expect(flat).toEqual(['A', '1', 'B', '2', 'traceparent', GOOD]);
    expect(withTrace(given, trace).flat()).toEqual(flat);
  });
});
