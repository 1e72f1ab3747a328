import { collectJob } from '#server/owed/collecting.ts'
import { everyDebtOf, refuseOwing } from '#server/owed/debts.ts'
import { owedNotices } from '#server/owed/notices.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** What customers owe the bank because it paid for them. */
export const owed = defineSlice({
  name: 'owed',
  jobs: [collectJob],
  notices: owedNotices,
  closeCustomer: refuseOwing,
  exportOf: ({ db }, { customerId }) => ({ owed: () => everyDebtOf(db, customerId) }),
})
