import { paymentsSampleHistory } from '#server/payments/sample-history.ts'
import { mailClaimJob } from '#server/payments/claim-mail.ts'
import { claimsOf, expireClaimJob, overdueClaims } from '#server/payments/claims.ts'
import { contactsOf, forgetContacts, openContactQueue } from '#server/payments/contacts.ts'
import { openPartyQueue } from '#server/payments/parties.ts'
import { paymentRoutes } from '#server/payments/routes.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { withPool } from '#server/platform/db/pools.ts'
import type { Core, Deps } from '#server/platform/deps.ts'
import { defineSlice } from '#server/platform/slice.ts'

export const openPayments = (deps: Core & Pick<Deps, 'sessions'>) => ({
  parties: openPartyQueue(withPool(deps, 'payments')),
  contacts: openContactQueue(deps),
})

/** Sending money. */
export const payments = defineSlice({
  name: 'payments',
  routes: () => paymentRoutes,
  jobs: [mailClaimJob, expireClaimJob, overdueClaims.job],
  flush: (deps) => deps.contacts.close(),
  waitingMoney: [overdueClaims.waiting],
  exportOf: (deps, { customerId }) => ({
    contacts: everyPage(
      (after: string | null) => contactsOf(deps, customerId, { after, limit: PAGE_SIZE }),
      ({ address }) => address,
    ),
    paymentsToClaim: everyPage(
      (after: string | null) => claimsOf(deps, customerId, { after, limit: PAGE_SIZE }),
      ({ operationId }) => operationId,
    ),
  }),
  closeCustomer: forgetContacts,
  sampleHistory: paymentsSampleHistory,
})
