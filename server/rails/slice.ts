import {
  COLLECTION_EVENTS,
  collectionEvent,
  PAYOUT_EVENTS,
  payoutEvent,
  railEvents,
  SETTLEMENT_EVENTS,
  settlementEvent,
} from '#server/rails/event.ts'
import { applyCollectionEvent } from '#server/rails/collection-outcomes.ts'
import { applyPayoutEvent } from '#server/rails/payout-outcomes.ts'
import { detailsColumn } from '#server/rails/bank-details.ts'
import { defineSlice } from '#server/platform/slice.ts'
import { collectionOverdueSince, collectionOwedSince, refuseReturnDue } from '#server/rails/collections.ts'
import {
  askPayoutJob,
  askProviderJob,
  overduePayoutsJob,
  overdueTopUpsJob,
  settlePayoutJob,
  settleTopUpJob,
} from '#server/rails/jobs.ts'
import { bookSettlement } from '#server/rails/book-settlement.ts'
import { payoutLeftSince, payoutOverdueSince } from '#server/rails/payouts.ts'

/**
 * Money that comes in from outside and money that goes out. A provider's server calls the slice's one route, which is outside
 * the API (routes.ts).
 */
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
      overdueSince: (deps) => collectionOverdueSince(deps, deps.clock.businessNow()),
    },
    { name: 'top-ups of customers who have closed', overdueSince: collectionOwedSince },
    {
      name: 'payouts that did not leave in time',
      overdueSince: (deps) => payoutOverdueSince(deps, deps.clock.businessNow()),
    },
    { name: 'payouts that need the operator', overdueSince: payoutLeftSince },
  ],
})
