/** The payload that Box's guide to webhooks shows, shortened. */
import { eventTypes, parameters } from '../source.ts';

const person = { type: 'user', id: '226067247', name: 'John Q. Developer', login: 'johnq@dev.name' };
const file = (trigger: string) => ({
  type: 'webhook_event',
  id: 'eb0c4e06-751f-442c-86f8-fd5bb404dbec',
  created_at: '2016-07-11T10:10:32-07:00',
  trigger,
  webhook: { id: '53', type: 'webhook' },
  created_by: person,
  source: {
    id: '73835521473',
    type: 'file',
    file_version: { type: 'file_version', id: '78096737033', sha1: '2c61623e86bee78e6ab444af456bccc7a1164095' },
    sequence_id: '0',
    etag: '0',
    sha1: '2c61623e86bee78e6ab444af456bccc7a1164095',
    name: 'Test-Image-3.png',
    description: '',
    size: 26458,
    created_at: '2016-07-11T10:10:32-07:00',
    modified_at: '2016-07-11T10:10:32-07:00',
    created_by: person,
    owned_by: person,
    parent: { type: 'folder', id: '8290188973', sequence_id: '0', etag: '0', name: 'Webhooks' },
    item_status: 'active',
  },
  additional_info: [],
});

export const boxEvents = eventTypes(
  parameters({
    folder: {
      type: 'string',
      title: 'Folder',
      description: 'Only items in the folder with this ID (the number at the end of the folder’s URL).',
      pattern: '^[0-9]{1,20}$',
      examples: ['8290188973'],
    },
  }),
  {
    FILE: ['Anything that happens to a file.', file('FILE.UPLOADED')],
    'FILE.UPLOADED': ['A file was uploaded, or moved to a folder.', file('FILE.UPLOADED')],
    'FILE.DOWNLOADED': ['A file was downloaded.', file('FILE.DOWNLOADED')],
    'FILE.PREVIEWED': ['A file was previewed.', file('FILE.PREVIEWED')],
    'FILE.RENAMED': ['A file was renamed.', file('FILE.RENAMED')],
    'FILE.MOVED': ['A file was moved to another folder.', file('FILE.MOVED')],
    'FILE.TRASHED': ['A file was moved to the trash.', file('FILE.TRASHED')],
    'FILE.RESTORED': ['A file was restored from the trash.', file('FILE.RESTORED')],
    'FILE.DELETED': ['A file was permanently deleted.', file('FILE.DELETED')],
    '*': ['Every event that the webhook sends.', file('FILE.UPLOADED')],
  },
);
