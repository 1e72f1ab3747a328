import { deliverTextJob, exportTexts, purgeTextsJob, textSealName } from '#server/messages/service.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** The slice of text messages. */
export const messages = defineSlice({
  name: 'messages',
  sealed: [{ table: 'bank.text_message', key: 'id', column: 'params', nameOf: (row) => textSealName(row['id'] ?? '') }],
  jobs: [deliverTextJob, purgeTextsJob],
  outboxes: [{ name: 'texts', jobs: [deliverTextJob] }],
  exportOf: (deps, { customerId }) => ({ texts: () => exportTexts(deps, customerId) }),
})
