import { exportedPayments } from '#server/card-scheme/export.ts'
import { expirePaymentsJob, overdueSince } from '#server/card-scheme/expiry.ts'
import { purgeMessagesJob } from '#server/card-scheme/messages.ts'
import { refuseOpenPayments } from '#server/card-scheme/payment.ts'
import { sweepCapturesJob } from '#server/card-scheme/points.ts'
import { openCardMessages } from '#server/card-scheme/riders.ts'
import { cardSchemeStory } from '#server/card-scheme/story.ts'
import { unansweredDeclines } from '#server/card-scheme/unanswered.ts'
import { defineSlice } from '#server/platform/slice.ts'

export const openCardScheme = (deps: Parameters<typeof openCardMessages>[0]) => ({
  cardMessages: openCardMessages(deps),
})

/** What shops do with cards. Its one route is called by the scheme's server and stands outside the API (routes.ts). */
export const cardScheme = defineSlice({
  name: 'card-scheme',
  jobs: [expirePaymentsJob, purgeMessagesJob, sweepCapturesJob],
  waitingMoney: [{ name: 'card payments that were not captured in time', overdueSince }],
  // Behind the cards' own (server/api.ts), which locks them.
  closeCustomer: refuseOpenPayments,
  unanswered: unansweredDeclines,
  exportOf: (deps, { customerId }) => ({ cardPayments: exportedPayments(deps, customerId) }),
  story: cardSchemeStory,
})
