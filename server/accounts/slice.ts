import { exportAccounts } from '#server/accounts/export.ts'
import { accountRoutes } from '#server/accounts/routes.ts'
import { annotationRoutes } from '#server/accounts/annotation-routes.ts'
import { deleteAnnotations } from '#server/accounts/annotations/annotations.ts'
import { exportNotes } from '#server/accounts/annotations/notes.ts'
import { exportPhotos, photoSealName } from '#server/accounts/annotations/photos.ts'
import { purgeRefusalsJob } from '#server/accounts/refusals.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** The number of pictures on one page of the data download. It is small because pictures are large. */
const PICTURES_AT_ONCE = 10

/** The current account: dashboard, transactions, receipts, adding money. */
export const accounts = defineSlice({
  name: 'accounts',
  routes: (_deps: Deps, { tools }: { tools: DocumentTools }) => accountRoutes.mount(annotationRoutes(tools)),
  jobs: [purgeRefusalsJob],
  liveEvents: ['balance'],
  exportOf: (deps, { customerId }) => ({
    accounts: exportAccounts(runIn(deps.db), customerId),
    privateNotes: exportNotes(deps, customerId),
    receiptPhotos: exportPhotos(deps, customerId),
  }),
  closeCustomer: deleteAnnotations,
  sealed: [
    {
      table: 'bank.receipt_photo',
      key: 'id',
      column: 'content',
      parts: ['customer_id'],
      nameOf: (row) => photoSealName(row['id'] ?? '', row['customer_id'] ?? ''),
      batch: PICTURES_AT_ONCE,
    },
  ],
})
