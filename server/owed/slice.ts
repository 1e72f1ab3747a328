import { collectDebtsJob } from '#server/owed/collect-debts.ts'
import { everyDebtOf, refuseIfOwing, shopsStoppedSince } from '#server/owed/debts.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** Debts of customers because the bank paid for them. */
export const owed = defineSlice({
  name: 'owed',
  jobs: [collectDebtsJob],
  closeCustomer: refuseIfOwing,
  waitingMoney: [{ name: 'shops that cost the bank too much', overdueSince: shopsStoppedSince }],
  exportOf: ({ db }, { customerId }) => ({ owed: () => everyDebtOf(db, customerId) }),
})
