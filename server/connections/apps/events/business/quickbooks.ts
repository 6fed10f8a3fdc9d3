/** The sample of Intuit's announcement of the CloudEvents format; the other types differ from it only in `type`. */
import { eventTypes, parameters } from '../../source.ts';

const sample = (type: string) => ({
  specversion: '1.0',
  id: '88cd52aa-33b6-4351-9aa4-47572edbd068',
  source: 'intuit.dsnBgbseACLLRZNxo2dfc4evmEJdxde58xeeYcZliOU=',
  type,
  datacontenttype: 'application/json',
  time: '2025-09-10T21:31:25.179851517Z',
  intuitentityid: '1234',
  intuitaccountid: '310687',
  data: {},
});

export const quickbooksEvents = eventTypes(
  parameters({
    company: {
      type: 'string',
      title: 'Company',
      description: 'Only events of the company with this ID (its realm ID).',
      pattern: '^[0-9]{1,30}$',
      examples: ['310687'],
    },
  }),
  {
    'qbo.account.created': ['An account was created.', sample('qbo.account.created.v1')],
    'qbo.customer': ['Anything that happens to a customer.', sample('qbo.customer.created.v1')],
    'qbo.customer.created': ['A customer was created.', sample('qbo.customer.created.v1')],
    'qbo.customer.updated': ['A customer changed.', sample('qbo.customer.updated.v1')],
    'qbo.invoice': ['Anything that happens to an invoice.', sample('qbo.invoice.created.v1')],
    'qbo.invoice.created': ['An invoice was created.', sample('qbo.invoice.created.v1')],
    'qbo.invoice.updated': ['An invoice changed.', sample('qbo.invoice.updated.v1')],
    'qbo.invoice.deleted': ['An invoice was deleted.', sample('qbo.invoice.deleted.v1')],
    'qbo.payment.created': ['A payment was created.', sample('qbo.payment.created.v1')],
    'qbo.payment.updated': ['A payment changed.', sample('qbo.payment.updated.v1')],
    'qbo.vendor.created': ['A vendor was created.', sample('qbo.vendor.created.v1')],
    'qbo.vendor.updated': ['A vendor changed.', sample('qbo.vendor.updated.v1')],
    'qbo.bill.created': ['A bill was created.', sample('qbo.bill.created.v1')],
    'qbo.bill.updated': ['A bill changed.', sample('qbo.bill.updated.v1')],
    '*': ['Every event that is sent to the URL.', sample('qbo.account.created.v1')],
  },
);
