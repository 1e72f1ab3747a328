import { phoneConfirmationRequest } from '#contract/identity.ts'
import { routes } from '#server/identity/access/route.ts'
import { clientOf } from '#server/identity/access/session.ts'
import { confirmPhone } from '#server/identity/phone/confirm-phone.ts'
import { sendPhoneCode } from '#server/identity/phone/phone-codes.ts'
import { callerOf } from '#server/platform/http/caller.ts'

export const phoneRoutes = routes('Profile')
  .post(
    '/phone-codes',
    {
      key: 'none',
      refuses: ['fields_missing', 'phone_invalid', 'texts_unavailable'],
      summary: 'Get a code by text to your phone number',
      description:
        'The code has six digits and works once, for ten minutes. Limited to a few times a day. The response is the same whether or not another customer has the number. If your number is already confirmed, no text is sent.',
      responses: { 202: { description: 'A text is on its way' } },
    },
    async (c) => {
      await sendPhoneCode(c.deps, c.customer, clientOf(c.http))
      return c.http.body(null, 202)
    },
  )
  .post(
    '/phone-confirmations',
    {
      key: 'none',
      refuses: ['phone_code_ended', 'phone_code_wrong'],
      summary: 'Confirm your phone number with the code that was texted to it',
      description: 'After that, money sent to the number reaches you.',
      body: phoneConfirmationRequest,
    },
    async (c) => {
      const { code } = c.body
      await confirmPhone(c.deps, { customer: c.customer, code, caller: callerOf(c.http) })
    },
  )
