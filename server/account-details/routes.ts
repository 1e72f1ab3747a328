import { accountDetailsResponse } from '#contract/account-details.ts'
import { detailsOf, existingDetails } from '#server/account-details/details.ts'
import { type Letter, letterWords } from '#server/account-details/letter.ts'
import { routes } from '#server/identity/access/route.ts'
import type { Deps } from '#server/platform/deps.ts'
import { PDF, pdfFile, sendFile } from '#server/platform/http/described.ts'
import { type Recipient, recipientOf } from '#server/platform/http/recipient.ts'

/** Drawn in a thread of its own, as receipts are: its fonts alone keep a processor busy for a tenth of a second. */
const RENDERER = { filename: import.meta.resolve('#server/account-details/letter.ts'), name: 'letterPdf' }

const drawn = ({ shares, workers }: Deps, customerId: string, letter: Letter, { gone }: Recipient) =>
  shares.receipts(
    customerId,
    () => workers.run(letter, RENDERER) as Promise<Uint8Array<ArrayBuffer>>,
    () => !gone.aborted,
  )

export const accountDetailsRoutes = routes('Accounts')
  .get(
    '/account-details',
    {
      summary: 'What others need to pay you from another bank',
      description: 'null where other banks cannot reach this one.',
      response: accountDetailsResponse,
      responseDescription: 'As of now; the numbers never change',
    },
    (c) => ({ details: detailsOf(c.deps.config, c.customer) }),
  )
  .get(
    '/account-details/letter',
    {
      load: 'slow',
      refuses: ['not_found'],
      summary: 'A letter that confirms them',
      description: 'Not there where other banks cannot reach this one.',
      responses: pdfFile('One page'),
    },
    async (c) => {
      const [deps, customer] = [c.deps, c.customer]
      const details = existingDetails(deps.config, customer)
      const madeAt = deps.clock.businessNow().toISOString()
      const letter = letterWords(deps.translations.in(customer.language), details, madeAt)
      const content = await drawn(deps, customer.id, letter, recipientOf(c.http))
      return sendFile(c.http, { content, mediaType: PDF, name: 'Alder-account-details.pdf' })
    },
  )
