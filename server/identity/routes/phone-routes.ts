import { phoneConfirmationRequest } from '#contract/identity.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { clientOf } from '#server/identity/access/session.ts'
import { confirmPhone } from '#server/identity/phone/confirm-phone.ts'
import { sendPhoneCode } from '#server/identity/phone/phone-codes.ts'
import { callerOf } from '#server/platform/http/caller.ts'

const tags = ['Profile']

const postCode = defineRoute({
  method: 'post',
  path: '/phone-codes',
  needs: { key: 'none' },
  summary: 'Have a code texted to your phone number',
  description:
    'Six digits, which work once, for ten minutes. A few times a day. The response is the same whether or not another customer has the number; nothing is sent where it is confirmed.',
  tags,
  responses: { 202: { description: 'A text is on its way' } },
})

const postConfirmation = defineRoute({
  method: 'post',
  path: '/phone-confirmations',
  needs: { key: 'none' },
  summary: 'Confirm your phone number with the code that was texted to it',
  description: 'From then on, money sent to the number reaches you.',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: phoneConfirmationRequest } } } },
  responses: { 204: { description: 'It is confirmed' } },
})

export const phoneRoutes = router()
  .openapi(postCode, async (c) => {
    await sendPhoneCode(c.get('deps'), c.get('customer'), clientOf(c))
    return c.body(null, 202)
  })
  .openapi(postConfirmation, async (c) => {
    const { code } = c.req.valid('json')
    await confirmPhone(c.get('deps'), { customer: c.get('customer'), code, caller: callerOf(c) })
    return c.body(null, 204)
  })
