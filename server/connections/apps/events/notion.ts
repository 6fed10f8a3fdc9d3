import { eventTypes, parameters } from '../source.ts';

/** Events contain the kind and place of a change, not the content, which is read through the gateway. */
function event(id: string, type: string, entity: object, data: object) {
  return {
    id,
    timestamp: '2024-12-05T23:55:34.285Z',
    workspace_id: '13950b26-c203-4f3b-b97d-93ec06319565',
    workspace_name: 'Quantify Labs',
    subscription_id: '29d75c0d-5546-4414-8459-7b7a92f1fc4b',
    integration_id: '0ef2e755-4912-8096-91c1-00376a88a5ca',
    type,
    authors: [{ id: 'c7c11cca-1d73-471d-9b6e-bdef51470190', type: 'person' }],
    attempt_number: 1,
    entity,
    data,
  };
}

const page = { id: '153104cd-477e-809d-8dc4-ff2d96ae3090', type: 'page' };
const parent = { id: '0ef104cd-477e-80e1-8571-cfd10e92339a', type: 'page' };
const created = event('367cba44-b6f3-4c92-81e7-6a2e9659efd4', 'page.created', page, { parent });
const property = event('1782edd6-a853-4d4a-b02c-9c8c16f28e53', 'page.properties_updated', page, {
  parent: { id: '13950b26-c203-4f3b-b97d-93ec06319565', type: 'space' },
  updated_properties: ['XGe%40', 'bDf%5B', 'DbAu'],
});

const ofEntity = (example: string) =>
  parameters({
    entity_id: {
      type: 'string',
      title: 'Page or database',
      description: 'Only events of the page, database or data source with this ID.',
      pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
      examples: [example],
    },
  });
const comment = { id: '153104cd-477e-80ca-8f75-001d9e2b6839', type: 'comment' };
const source = { id: '153104cd-477e-80eb-ae76-e1c2a32c7b35', type: 'data_source' };

export const notionEvents = [
  ...eventTypes(ofEntity(page.id), {
    page: ['Anything that happens to a page.', property],
    'page.created': ['A page was created.', created],
    'page.content_updated': [
      'The content of a page changed.',
      event('56c3e00c-4f0c-4566-9676-4b058a50a03d', 'page.content_updated', page, {
        updated_blocks: [{ id: '153104cd-477e-80ec-a87d-f7ff0236d35c', type: 'block' }],
        parent,
      }),
    ],
    'page.properties_updated': ['A property of a page changed.', property],
    'page.moved': [
      'A page was moved to another place.',
      event('7de99a6f-2edd-4116-bf59-2d09407bddec', 'page.moved', page, { parent }),
    ],
    'page.deleted': [
      'A page was moved to the trash.',
      event('ea6b8136-1db6-4f2e-b157-84a532437f62', 'page.deleted', page, { parent }),
    ],
  }),
  ...eventTypes(ofEntity(comment.id), {
    'comment.created': [
      'A comment was added to a page or block.',
      event('c6780f24-10b7-4f42-a6fd-230b6cf7ad69', 'comment.created', comment, { page_id: parent.id, parent }),
    ],
  }),
  ...eventTypes(ofEntity(source.id), {
    'data_source.schema_updated': [
      'The properties of a data source changed.',
      event('5496f509-6988-4bab-b6a9-bdce0b720ca0', 'data_source.schema_updated', source, {
        parent,
        updated_properties: [{ id: 'kqLW', name: 'Created at', action: 'created' }],
      }),
    ],
  }),
  ...eventTypes(ofEntity(page.id), { '*': ['Every event that the subscription sends.', created] }),
];
