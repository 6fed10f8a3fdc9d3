/** A failed poll. The message is shown to users: it contains no credentials or query strings. */
export class PollTrouble extends Error {
  override name = 'PollTrouble';
  /** The egress rules block the URL. */
  readonly isBlocked: boolean;

  constructor(message: string, { isBlocked = false } = {}) {
    super(message);
    this.isBlocked = isBlocked;
  }
}
