import { z } from '@hono/zod-openapi'
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
import { defineRoute, router } from '#server/identity/access/route.ts'
import type { Booked } from '#server/ledger/types.ts'
import { recipientOf } from '#server/platform/http/recipient.ts'
import { answers, body } from '#server/platform/http/described.ts'
import { idParam, readId } from '#server/platform/http/id-param.ts'

const tags = ['Carbon']

const getFootprint = defineRoute({
  method: 'get',
  path: '/carbon',
  summary: 'What your spending of a month emitted, as an estimate',
  description: "This month unless told. The factors are the bank's own, per dollar spent, and come from no source.",
  tags,
  request: { query: footprintQuery },
  responses: answers('As of now', carbonFootprint),
})

const getCertificates = defineRoute({
  method: 'get',
  path: '/carbon/certificates',
  summary: 'What you have offset, newest first',
  tags,
  request: { query: certificateQuery },
  responses: answers('A page', certificatePage),
})

const postOffset = defineRoute({
  method: 'post',
  path: '/carbon/offsets',
  needs: { money: true, proof: true },
  summary: 'Offset what is left of a month',
  description: 'Charged to your current account now. Each gram of a month is offset once.',
  tags,
  request: { body: body(offsetRequest) },
  responses: answers('Your certificate', carbonCertificate),
})

const getCertificatePdf = defineRoute({
  method: 'get',
  path: '/carbon/certificates/{id}/pdf',
  needs: { load: 'slow' },
  summary: 'A certificate to keep',
  tags,
  request: { params: idParam },
  responses: {
    200: {
      description: 'One page',
      content: { 'application/pdf': { schema: z.string().openapi({ type: 'string', format: 'binary' }) } },
    },
  },
})

const same = (booked: Booked) => booked

export const carbonRoutes = router({ live: true })
  .openapi(getFootprint, async (c) => {
    const { month } = c.req.valid('query')
    return c.json(await readFootprint(c.get('deps'), c.get('customer').id, month), 200)
  })
  .openapi(getCertificates, async (c) =>
    c.json(await listCertificates(c.get('deps'), c.get('customer').id, c.req.valid('query')), 200),
  )
  .openapi(postOffset, async (c) => {
    const [deps, customer, asked] = [c.get('deps'), c.get('customer'), c.req.valid('json')]
    const booked = await moveMoney(c, (key) => offsetMonth(deps, customer, asked, key), same)
    return c.json(await findCertificate(deps, customer.id, booked.id), 200)
  })
  .openapi(getCertificatePdf, async (c) => {
    const [deps, customer] = [c.get('deps'), c.get('customer')]
    const certificate = await findCertificate(deps, customer.id, readId(c.req.valid('param').id))
    const words = certificateWords(deps.translations.in(customer.language), certificate, customer.fullName)
    return c.body(await makeReceipt(deps, customer.id, words, recipientOf(c)), 200, {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="Alder-${certificate.number}.pdf"`,
      'cache-control': 'no-store',
    })
  })
