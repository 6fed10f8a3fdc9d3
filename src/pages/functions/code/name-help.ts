/** Under the name of a function that does not exist yet. */
export const NAME_HELP =
  'The URL is made from it. One that is in use, or that another account used in the last 90 days, gets a suffix.';
