import { exportedAccounts } from '#server/accounts/export.ts'
import { accountRoutes } from '#server/accounts/routes.ts'
import { keptRoutes } from '#server/accounts/kept-routes.ts'
import { forgetKept } from '#server/accounts/kept/kept.ts'
import { exportedNotes } from '#server/accounts/kept/notes.ts'
import { exportedPhotos, sealName } from '#server/accounts/kept/photos.ts'
import { purgeRefusalsJob } from '#server/accounts/refusals.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** Pictures are large. */
const PICTURES_AT_ONCE = 10

/** The current account: dashboard, transactions, receipts, adding money. */
export const accounts = defineSlice({
  name: 'accounts',
  routes: (_deps: Deps, { tools }: { tools: DocumentTools }) => accountRoutes.mount(keptRoutes(tools)),
  jobs: [purgeRefusalsJob],
  liveEvents: ['balance'],
  exportOf: (deps, { customerId }) => ({
    accounts: exportedAccounts(runIn(deps.db), customerId),
    privateNotes: exportedNotes(deps, customerId),
    receiptPhotos: exportedPhotos(deps, customerId),
  }),
  closeCustomer: forgetKept,
  sealed: [
    {
      table: 'bank.receipt_photo',
      key: 'id',
      column: 'content',
      parts: ['customer_id'],
      nameOf: (row) => sealName(row['id'] ?? '', row['customer_id'] ?? ''),
      batch: PICTURES_AT_ONCE,
    },
  ],
})
