import { deliverJob, exportMails, purgeMailsJob, TOKEN } from '#server/mail/service.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** The slice of the bank's mails. */
export const mail = defineSlice({
  name: 'mail',
  jobs: [deliverJob, purgeMailsJob],
  outboxes: [{ name: 'mail', jobs: [deliverJob] }],
  sealed: [{ table: 'bank.mail', key: 'id', column: 'token', nameOf: () => TOKEN }],
  exportOf: (deps, { customerId }) => ({ mails: exportMails(deps, customerId) }),
})
