import { exportCardPayments } from '#server/card-scheme/export.ts'
import { expirePaymentsJob, cardExpiryOverdueSince } from '#server/card-scheme/expiry.ts'
import { purgeMessagesJob } from '#server/card-scheme/messages.ts'
import { refuseOpenPayments } from '#server/card-scheme/payment.ts'
import { sweepCapturesJob } from '#server/card-scheme/points.ts'
import { openCardMessages } from '#server/card-scheme/card-message-batches.ts'
import { cardSchemeSampleHistory } from '#server/card-scheme/sample-history.ts'
import { unansweredDeclines } from '#server/card-scheme/unanswered.ts'
import { defineSlice } from '#server/platform/slice.ts'

export const openCardScheme = (deps: Parameters<typeof openCardMessages>[0]) => ({
  cardMessages: openCardMessages(deps),
})

/** Payments by card at shops. The scheme's server calls the slice's one route, which is outside the API (routes.ts). */
export const cardScheme = defineSlice({
  name: 'card-scheme',
  jobs: [expirePaymentsJob, purgeMessagesJob, sweepCapturesJob],
  waitingMoney: [{ name: 'card payments that were not captured in time', overdueSince: cardExpiryOverdueSince }],
  // The slices run in the order of server/api.ts. The cards slice runs before this one and locks the cards.
  closeCustomer: refuseOpenPayments,
  unanswered: unansweredDeclines,
  exportOf: (deps, { customerId }) => ({ cardPayments: exportCardPayments(deps, customerId) }),
  sampleHistory: cardSchemeSampleHistory,
})
