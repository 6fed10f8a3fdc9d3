/**
 * Why the service can't start, and what the person at the terminal can do about it.
 * `message` is one sentence that says what is wrong, `hint` one that says what to do; print both and exit.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}
