import { deliverTextJob, exportedTexts, purgeTextsJob } from '#server/messages/service.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** The text messages the bank sends. */
export const messages = defineSlice({
  name: 'messages',
  jobs: [deliverTextJob, purgeTextsJob],
  outboxes: [{ name: 'texts', jobs: [deliverTextJob] }],
  exportOf: (deps, { customerId }) => ({ texts: () => exportedTexts(deps, customerId) }),
})
