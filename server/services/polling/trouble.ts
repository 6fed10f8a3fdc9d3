/** A poll that came to nothing. The message is shown to people: no credentials, no query strings. */
export class PollTrouble extends Error {
  override name = 'PollTrouble';
}
