/** A poll that came to nothing. The message is shown to people: no credentials, no query strings. */
export class PollTrouble extends Error {
  override name = 'PollTrouble';
  /** The address leads to a network that the service may not connect to. */
  readonly isBlocked: boolean;

  constructor(message: string, { isBlocked = false } = {}) {
    super(message);
    this.isBlocked = isBlocked;
  }
}
