import { accountDetailsResponse } from '#contract/account-details.ts'
import { accountDetailsOf, requireAccountDetails } from '#server/account-details/details.ts'
import { type DetailsLetter, letterWords } from '#server/account-details/letter.ts'
import { routes } from '#server/identity/access/route.ts'
import type { Deps } from '#server/platform/deps.ts'
import { PDF, pdfResponse, sendFile } from '#server/platform/http/route-bodies.ts'
import { type Recipient, recipientOf } from '#server/platform/http/response-recipient.ts'

/** The letter is drawn in a worker thread, like receipts: its fonts alone keep a processor busy for a tenth of a second. */
const RENDERER = { filename: import.meta.resolve('#server/account-details/letter.ts'), name: 'letterPdf' }

const drawn = (
  { concurrencyLimits: shares, workers }: Deps,
  customerId: string,
  letter: DetailsLetter,
  { gone }: Recipient,
) =>
  shares.receipts(
    customerId,
    () => workers.run(letter, RENDERER) as Promise<Uint8Array<ArrayBuffer>>,
    () => !gone.aborted,
  )

export const accountDetailsRoutes = routes('Accounts')
  .get(
    '/account-details',
    {
      summary: 'The numbers with which others pay you from another bank',
      description: 'null if other banks cannot reach this bank.',
      response: accountDetailsResponse,
      responseDescription: 'The numbers, which never change',
    },
    (c) => ({ details: accountDetailsOf(c.deps.config, c.customer) }),
  )
  .get(
    '/account-details/letter',
    {
      load: 'slow',
      refuses: ['not_found'],
      summary: 'A letter that confirms your account details',
      description: 'Responds with `not_found` if other banks cannot reach this bank.',
      responses: pdfResponse('One page'),
    },
    async (c) => {
      const [deps, customer] = [c.deps, c.customer]
      const details = requireAccountDetails(deps.config, customer)
      const madeAt = deps.clock.businessNow().toISOString()
      const letter = letterWords(deps.translations.in(customer.language), details, madeAt)
      const content = await drawn(deps, customer.id, letter, recipientOf(c.http))
      return sendFile(c.http, { content, mediaType: PDF, name: 'Alder-account-details.pdf' })
    },
  )
