/** Help text for the name of a new function. */
export const NAME_HELP =
  'Determines the URL. A URL that is in use, or that another account used in the last 90 days, gets a suffix.';
