import { deliverTextJob, exportedTexts, purgeTextsJob, sealName } from '#server/messages/service.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** The text messages the bank sends. */
export const messages = defineSlice({
  name: 'messages',
  sealed: [{ table: 'bank.text_message', key: 'id', column: 'params', nameOf: (row) => sealName(row['id'] ?? '') }],
  jobs: [deliverTextJob, purgeTextsJob],
  outboxes: [{ name: 'texts', jobs: [deliverTextJob] }],
  exportOf: (deps, { customerId }) => ({ texts: () => exportedTexts(deps, customerId) }),
})
