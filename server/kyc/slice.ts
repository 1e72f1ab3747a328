import { kycOf } from '#server/kyc/cases/cases.ts'
import { removeFromQueue } from '#server/kyc/cases/reopen.ts'
import { unansweredIdentity } from '#server/kyc/cases/unanswered.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'
import { reviewRoutes } from '#server/kyc/routes/review-routes.ts'
import { kycRoutes } from '#server/kyc/routes/routes.ts'
import type { Deps } from '#server/platform/deps.ts'
import { documentSealName } from '#server/kyc/documents/service.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** The number of pictures in one batch. It is small because pictures are large. */
const PICTURES_AT_ONCE = 10

/** The slice of identity documents and their review. */
export const kyc = defineSlice({
  name: 'kyc',
  routes: (_deps: Deps, { tools }: { tools: DocumentTools }) => kycRoutes(tools).mount(reviewRoutes(tools)),
  securityEvents: ['kyc_submitted', 'kyc_approved', 'kyc_rejected', 'kyc_again', 'document_opened'],
  exportOf: (deps, { customerId }) => ({
    // The documents' contents are left out: the customer can download each from the identity screen.
    identityVerification: async () => {
      const { status, reason, documents } = await kycOf(deps, customerId)
      return { status, reason, documents }
    },
  }),
  closeCustomer: removeFromQueue,
  sealed: [
    {
      table: 'bank.kyc_document',
      key: 'id',
      column: 'content',
      parts: ['customer_id'],
      nameOf: (row) => documentSealName(row['id'] ?? '', row['customer_id'] ?? ''),
      batch: PICTURES_AT_ONCE,
    },
  ],
  unanswered: unansweredIdentity,
})
