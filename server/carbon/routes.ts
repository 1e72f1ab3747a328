import {
  carbonCertificate,
  carbonFootprint,
  certificatePage,
  certificateQuery,
  footprintQuery,
  offsetRequest,
} from '#contract/carbon.ts'
import { makeReceipt } from '#server/accounts/receipts.ts'
import { certificateWords } from '#server/carbon/certificate.ts'
import { findCertificate, listCertificates, offsetMonth, readFootprint } from '#server/carbon/offsets.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { routes } from '#server/identity/access/route.ts'
import type { BookedOperation } from '#server/ledger/types.ts'
import { recipientOf } from '#server/platform/http/response-recipient.ts'
import { fromReplica } from '#server/platform/db/replica.ts'
import { PAYMENT_REFUSALS } from '#server/limits/service.ts'
import { PDF, pdfResponse, sendFile } from '#server/platform/http/route-bodies.ts'

const identity = (booked: BookedOperation) => booked

export const carbonRoutes = routes('Carbon', { live: true })
  .get(
    '/carbon',
    {
      refuses: ['month_invalid'],
      summary: 'The estimated emissions of your spending in a month',
      description:
        "The default is this month. The factors per dollar spent are the bank's own and have no outside source.",
      query: footprintQuery,
      response: carbonFootprint,
      responseDescription: 'As of now',
    },
    async (c) => readFootprint(await fromReplica(c.deps), c.customer.id, c.query.month),
  )
  .get(
    '/carbon/certificates',
    {
      summary: 'Your offset certificates, newest first',
      query: certificateQuery,
      response: certificatePage,
      responseDescription: 'A page',
    },
    (c) => listCertificates(c.deps, c.customer.id, c.query),
  )
  .post(
    '/carbon/offsets',
    {
      money: true,
      proof: true,
      refuses: ['month_invalid', 'footprint_offset', 'price_changed', 'offset_unavailable', ...PAYMENT_REFUSALS],
      summary: 'Offset the rest of a month',
      description: 'The price is charged to your current account now. Each gram of a month is offset once.',
      body: offsetRequest,
      response: carbonCertificate,
      responseDescription: 'Your certificate',
    },
    async (c) => {
      const [deps, customer, request] = [c.deps, c.customer, c.body]
      const booked = await moveMoney(c.http, (key) => offsetMonth(deps, customer, request, key), identity)
      return await findCertificate(deps, customer.id, booked.id)
    },
  )
  .get(
    '/carbon/certificates/{id}/pdf',
    {
      load: 'slow',
      summary: 'A certificate as a PDF',
      responses: pdfResponse('One page'),
    },
    async (c) => {
      const [deps, customer] = [c.deps, c.customer]
      const certificate = await findCertificate(deps, customer.id, c.id)
      const words = certificateWords(deps.translations.in(customer.language), certificate, customer.fullName)
      const content = await makeReceipt(deps, customer.id, words, recipientOf(c.http))
      return sendFile(c.http, { content, mediaType: PDF, name: `Alder-${certificate.number}.pdf` })
    },
  )
