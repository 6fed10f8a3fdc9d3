/** As Webflow's reference shows them (data/reference/all-events), shortened. */
import { eventTypes, parameters } from '../../source.ts';

const form = {
  triggerType: 'form_submission',
  payload: {
    name: 'Contact Us',
    siteId: '65427cf400e02b306eaa049c',
    data: {
      'First Name': 'Zaphod',
      'Last Name': 'Beeblebrox',
      email: 'zaphod@heartofgold.ai',
      'Phone Number': 15550000000,
    },
    schema: [
      {
        fieldName: 'First Name',
        fieldType: 'FormTextInput',
        fieldElementId: '285042f7-d554-dc7f-102c-aa10d6a2d2c4',
      },
    ],
    submittedAt: '2022-09-14T12:35:16.117Z',
    id: '6321ca84df3949bfc6752327',
    formId: '65429eadebe8a9f3a30f62d0',
    formElementId: '4e038d2c-6a1e-4953-7be9-a59a2b453177',
  },
};
const published = {
  triggerType: 'site_publish',
  payload: {
    siteId: '62749158efef318abc8d5a0f',
    publishedOn: '2023-07-31T12:34:56.789Z',
    domains: ['my-website.webflow.io'],
    publishedBy: { displayName: 'Some One' },
  },
};
const page = (triggerType: string, pageId: string, pageTitle: string, more: object) => ({
  triggerType,
  payload: { siteId: '63499e4e6e9ed55a17e42b68', pageId, pageTitle, ...more },
});
const item = (triggerType: string) => ({
  triggerType,
  payload: {
    id: '582b900cba19143b2bb8a759',
    siteId: '1111111',
    workspaceId: '1111111',
    collectionId: '1111111',
    lastPublished: null,
    lastUpdated: '2023-03-27T22:26:40.926Z',
    createdOn: '2023-03-27T22:26:40.926Z',
    archived: false,
    draft: true,
    fieldData: { name: 'hello world', slug: 'hello-world', favoriteColor: '#ff00ff' },
  },
});
const removed = (triggerType: string) => ({
  triggerType,
  payload: {
    id: '647f35d49f499fe22e6dc173',
    siteId: '63692ab61fb28552c22ba8e3',
    workspaceId: '63499d0dd2f3b4e46108efa3',
    collectionId: '63692ab61fb285e2ff2ba8f3',
  },
});
const order = (triggerType: string) => ({
  triggerType,
  payload: {
    orderId: 'dfa-3f1',
    status: 'unfulfilled',
    comment: '',
    orderComment: '',
    acceptedOn: '2018-12-03T22:06:15.761Z',
    fulfilledOn: null,
    refundedOn: null,
    customerPaid: { unit: 'USD', value: 6099, string: '$60.99' },
    netAmount: { unit: 'USD', value: 5892, string: '$58.92' },
    customerInfo: { fullName: 'Customerio Namen', email: 'renning+customer@webflow.com' },
    purchasedItemsCount: 1,
  },
});

const none = parameters({});
/** The samples of Webflow's sites and collections differ, so that each group has its example. */
const ofSite = (example: string) =>
  parameters({
    site: {
      type: 'string',
      title: 'Site',
      description: 'Only events of the site with this ID (Site settings → General → Overview).',
      pattern: '^[0-9a-z]{1,40}$',
      examples: [example],
    },
  });

export const webflowEvents = [
  ...eventTypes(ofSite(form.payload.siteId), { form_submission: ['A form was submitted.', form] }),
  ...eventTypes(ofSite(published.payload.siteId), { site_publish: ['A site was published.', published] }),
  ...eventTypes(ofSite('63499e4e6e9ed55a17e42b68'), {
    page_created: [
      'A page was created.',
      page('page_created', '641371d477a18c936fe237cd', 'This is a New Page', {
        createdOn: '2023-03-16T19:45:24.311Z',
        publishedPath: '/my-new-page',
      }),
    ],
    page_metadata_updated: [
      'The metadata of a page was updated and published.',
      page('page_metadata_updated', '641371d477a18c936fe237cd', 'Home', {
        lastUpdated: '2023-03-16T19:48:48.499Z',
        publishedPath: '/',
      }),
    ],
    page_deleted: [
      'A page was deleted.',
      page('page_deleted', '63499e4e6e9ed5abbfe42b69', 'Old contact page', {
        deletedOn: '2023-03-16T19:51:33.068Z',
        publishedPath: '/contact',
      }),
    ],
  }),
  ...eventTypes(none, {
    ecomm_new_order: ['An order was placed.', order('ecomm_new_order')],
    ecomm_order_changed: ['An order changed.', order('ecomm_order_changed')],
  }),
  ...eventTypes(ofSite('1111111'), {
    collection_item_created: ['A collection item was created.', item('collection_item_created')],
    collection_item_changed: ['A collection item changed.', item('collection_item_changed')],
  }),
  ...eventTypes(ofSite('63692ab61fb28552c22ba8e3'), {
    collection_item_deleted: ['A collection item was deleted.', removed('collection_item_deleted')],
    collection_item_unpublished: ['A collection item was unpublished.', removed('collection_item_unpublished')],
  }),
  ...eventTypes(none, { '*': ['Every event that is sent to the URL.', form] }),
];
