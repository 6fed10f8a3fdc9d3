/** `{ $.user.id = 1 && $.tags[*] = "a*" }`: conditions on fields of an event that is JSON. */
import { type Part, readConditions } from './conditions.ts';
import type { FilterPattern, PatternReader } from './reader.ts';
import { type Budget, newBudget, numberOf, readCondition } from './value.ts';

const ANY = Symbol('any');
type Step = string | number | typeof ANY;
type Check = Part<unknown>;

const NAME = /[\p{L}\p{N}_-]+/uy;
const BARE = /[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?(?![\p{L}\p{N}_.*])|[\p{L}\p{N}_.*]+/uy;
const WORD = /[A-Za-z]+/y;

/** Parses the whole pattern. The reader is at the opening brace. */
export function readJsonPattern(reader: PatternReader): FilterPattern {
  const budget = newBudget();
  reader.expect('{');
  const check = readConditions<unknown>(reader, () => readOne(reader, budget));
  reader.skipSpace();
  if (!reader.take('}'))
    reader.fail('expected && or ||, or } at the end; strings with other characters need double quotes');
  reader.skipSpace();
  if (!reader.done) reader.fail('expected nothing after the }');
  return {
    test(message) {
      const event = parse(message);
      return typeof event === 'object' && event !== null && check.test(event);
    },
    marks: () => [],
    words: `JSON lines where ${check.words}`,
  };
}

function parse(message: string): unknown {
  if (!/^\s*[{[]/.test(message)) return undefined;
  try {
    return JSON.parse(message);
  } catch {
    return undefined;
  }
}

function readOne(reader: PatternReader, budget: Budget): Check {
  const start = reader.position;
  const steps = readSelector(reader, budget);
  const field = reader.text.slice(start, reader.position);
  reader.skipSpace();
  const at = reader.position;
  const word = reader.match(WORD).toUpperCase();
  if (word === '') {
    const condition = readCondition(reader, budget, BARE);
    return {
      test: (event) =>
        valuesAt(event, steps).some(
          (value) => isScalar(value) && condition.test(String(value), numberOf(String(value))),
        ),
      words: `${field} ${condition.words}`,
    };
  }
  reader.skipSpace();
  const second = reader.match(WORD).toUpperCase();
  if (word === 'NOT' && second === 'EXISTS')
    return { test: (event) => valuesAt(event, steps).length === 0, words: `${field} is missing` };
  if (word === 'IS' && Object.hasOwn(CONSTANTS, second)) {
    const constant = CONSTANTS[second as keyof typeof CONSTANTS];
    return { test: (event) => valuesAt(event, steps).includes(constant), words: `${field} is ${constant}` };
  }
  reader.fail('expected an operator: = != < <= > >=, IS NULL, IS TRUE, IS FALSE or NOT EXISTS', at);
}

const CONSTANTS = { NULL: null, TRUE: true, FALSE: false };

/** Objects, arrays, null and booleans match no comparison; IS tests null and booleans. */
const isScalar = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

function readSelector(reader: PatternReader, budget: Budget): Step[] {
  const start = reader.position;
  if (!reader.take('$')) reader.fail('expected a field such as $.name');
  const steps: Step[] = [];
  for (;;) {
    if (reader.next === '.' && reader.text[reader.position + 1] !== '[') {
      reader.position += 1;
      steps.push(reader.take('*') ? ANY : reader.match(NAME) || reader.fail('expected a name, * or [ after the dot'));
    } else if (reader.next === '[' || reader.startsWith('.[')) {
      reader.take('.');
      reader.position += 1;
      steps.push(readIndex(reader));
      reader.expect(']');
    } else break;
  }
  if (steps.length === 0) reader.fail('expected a field such as $.name', start);
  const wildcards = steps.filter((step) => step === ANY).length;
  budget.wildcards -= wildcards;
  if (wildcards > 1) reader.fail('expected at most one * in a field', start);
  if (budget.wildcards < 0) reader.fail('expected at most three * in the fields of a pattern', start);
  return steps;
}

function readIndex(reader: PatternReader): Step {
  if (reader.take('*')) return ANY;
  if (reader.next === '"' || reader.next === "'") return reader.quoted(reader.next);
  const digits = reader.match(/\d{1,9}/y);
  return digits ? Number(digits) : reader.fail("expected an index such as 0, * or a name in quotes such as ['a.b']");
}

function valuesAt(event: unknown, steps: readonly Step[]): unknown[] {
  let values = [event];
  for (const step of steps) values = values.flatMap((value) => stepInto(value, step));
  return values;
}

function stepInto(value: unknown, step: Step): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (step === ANY) return Object.values(value);
  if (typeof step === 'number') return Array.isArray(value) && step < value.length ? [value[step]] : [];
  return !Array.isArray(value) && Object.hasOwn(value, step) ? [Reflect.get(value, step)] : [];
}
