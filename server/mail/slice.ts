import { deliverJob, exportedMails, purgeMailsJob, TOKEN } from '#server/mail/service.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** The mails the bank writes. */
export const mail = defineSlice({
  name: 'mail',
  jobs: [deliverJob, purgeMailsJob],
  outboxes: [{ name: 'mail', jobs: [deliverJob] }],
  sealed: [{ table: 'bank.mail', key: 'id', column: 'token', nameOf: () => TOKEN }],
  exportOf: (deps, { customerId }) => ({ mails: exportedMails(deps, customerId) }),
})
