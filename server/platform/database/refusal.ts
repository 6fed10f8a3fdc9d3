/**
 * The reason why the service cannot start, and the remedy. `message` is one sentence about the problem, `hint` one
 * about the remedy; print both and exit.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}
