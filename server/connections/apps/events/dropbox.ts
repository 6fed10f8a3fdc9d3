/** The notification that Dropbox's documentation shows. It says whose files changed, not which. */
import { eventTypes, parameters } from '../source.ts';

export const dropboxEvents = eventTypes(parameters({}), {
  'files.changed': [
    'Files of an account changed: what changed is asked for with /files/list_folder/continue.',
    {
      list_folder: { accounts: ['dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc'] },
      delta: { users: [12345678, 23456789] },
    },
  ],
});
