import { collectJob } from '#server/owed/collecting.ts'
import { everyDebtOf, refuseOwing, shopsStoppedSince } from '#server/owed/debts.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** What customers owe the bank because it paid for them. */
export const owed = defineSlice({
  name: 'owed',
  jobs: [collectJob],
  closeCustomer: refuseOwing,
  waitingMoney: [{ name: 'shops that cost the bank too much', overdueSince: shopsStoppedSince }],
  exportOf: ({ db }, { customerId }) => ({ owed: () => everyDebtOf(db, customerId) }),
})
