/** The notification that Dropbox's documentation shows. It contains the accounts with changed files, not the files. */
import { eventTypes, parameters } from '../source.ts';

export const dropboxEvents = eventTypes(parameters({}), {
  'files.changed': [
    'Files of an account changed. Use /files/list_folder/continue to list the changes.',
    {
      list_folder: { accounts: ['dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc'] },
      delta: { users: [12345678, 23456789] },
    },
  ],
});
