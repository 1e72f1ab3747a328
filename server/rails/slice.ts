import {
  COLLECTION_EVENTS,
  collectionEvent,
  PAYOUT_EVENTS,
  payoutEvent,
  railEvents,
  SETTLEMENT_EVENTS,
  settlementEvent,
} from '#server/rails/event.ts'
import { applyCollectionEvent } from '#server/rails/outcomes.ts'
import { applyPayoutEvent } from '#server/rails/payout-outcomes.ts'
import { detailsColumn } from '#server/rails/bank-details.ts'
import { defineSlice } from '#server/platform/slice.ts'
import { overdueSince, owedSince, refuseReturnDue } from '#server/rails/collections.ts'
import {
  askPayoutJob,
  askProviderJob,
  overduePayoutsJob,
  overdueTopUpsJob,
  settlePayoutJob,
  settleTopUpJob,
} from '#server/rails/jobs.ts'
import { bookSettlement } from '#server/rails/settling.ts'
import { payoutLeftSince, payoutOverdueSince } from '#server/rails/payouts.ts'

/** How money gets in from outside and out again. Its one route is called by another server and stands outside the API (routes.ts). */
export const rails = defineSlice({
  name: 'rails',
  jobs: [askProviderJob, settleTopUpJob, overdueTopUpsJob, askPayoutJob, settlePayoutJob, overduePayoutsJob],
  outboxes: [
    { name: 'collections', jobs: [askProviderJob] },
    { name: 'payouts', jobs: [askPayoutJob] },
  ],
  railEvents: [
    railEvents(COLLECTION_EVENTS, collectionEvent, applyCollectionEvent),
    railEvents(PAYOUT_EVENTS, payoutEvent, applyPayoutEvent),
    railEvents(SETTLEMENT_EVENTS, settlementEvent, bookSettlement),
  ],
  closeCustomer: refuseReturnDue,
  sealed: [
    detailsColumn('bank.collection', 'operation_id', 'source'),
    detailsColumn('bank.payout', 'operation_id', 'destination'),
  ],
  waitingMoney: [
    {
      name: 'top-ups that did not arrive in time',
      overdueSince: (deps) => overdueSince(deps, deps.clock.businessNow()),
    },
    { name: 'top-ups of customers who have closed', overdueSince: owedSince },
    {
      name: 'payouts that did not leave in time',
      overdueSince: (deps) => payoutOverdueSince(deps, deps.clock.businessNow()),
    },
    { name: 'payouts that the operator has to see to', overdueSince: payoutLeftSince },
  ],
})
