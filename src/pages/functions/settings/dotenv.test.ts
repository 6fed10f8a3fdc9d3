import { describe, expect, test } from 'vitest';
import { readDotenv } from './dotenv.ts';

const pairs = (text: string) => readDotenv(text).variables.map(({ key, value }) => [key, value]);

describe('a pasted .env', () => {
  test('plain values, comments, export, blanks', () => {
    expect(pairs('# keys\n\nexport A=1\nB = two words # why\nC=a#b\nD=\r\n')).toEqual([
      ['A', '1'],
      ['B', 'two words'],
      ['C', 'a#b'],
      ['D', ''],
    ]);
  });

  test('quotes keep spaces and signs; only double quotes have escapes', () => {
    expect(pairs(`A=" x # y "\nB='it\\n'\nC="a\\nb\\"c"\nD="x=y"`)).toEqual([
      ['A', ' x # y '],
      ['B', 'it\\n'],
      ['C', 'a\nb"c'],
      ['D', 'x=y'],
    ]);
  });

  test('a key over several lines', () => {
    expect(pairs('PEM="-----BEGIN\nabc\n-----END"\nNEXT=1')).toEqual([
      ['PEM', '-----BEGIN\nabc\n-----END'],
      ['NEXT', '1'],
    ]);
  });

  test('the last value of a repeated key counts', () => {
    expect(pairs('A=1\nA=2')).toEqual([['A', '2']]);
  });

  test('an invalid line is reported with its number', () => {
    const { variables, mistakes } = readDotenv('A=1\njust words\n1B=2\nC="open\nD=1');
    expect(variables.map(({ key }) => key)).toEqual(['A']);
    expect(mistakes.map(({ line }) => line)).toEqual([2, 3, 4]);
  });
});
