import type { Problem } from '../../../contract/errors.ts';

/** Code that cannot be published, with every problem and its position, so that an editor can mark it. */
export class BuildError extends Error {
  override name = 'BuildError';
  readonly problems: Problem[];

  constructor(problems: Problem[]) {
    const [first] = problems;
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
    super(first ? `${first.file}:${first.line}:${first.column}: ${first.text}${more}` : 'The code does not build');
    this.problems = problems;
  }
}

/** A problem of a whole file, reported at its beginning. */
export const inFile = (file: string, text: string): BuildError => new BuildError([{ file, line: 1, column: 1, text }]);
