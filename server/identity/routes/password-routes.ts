import type { Context } from 'hono'
import { newPasswordRequest, passwordResetRequest } from '#contract/identity.ts'
import type { Deps } from '#server/platform/deps.ts'
import { callerOf } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { limitByAddress, sourceOf } from '#server/platform/http/rate-limit.ts'
import { limitByCustomer } from '#server/identity/access/limit.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { shareOfAddress } from '#server/platform/http/share.ts'
import { deviceIn } from '#server/identity/access/session.ts'
import { askPasswordLink, askPasswordReset, choosePassword } from '#server/identity/passwords/password-reset.ts'

const RESETS = { name: 'reset', points: 60, seconds: 10 * 60 }
const NEW_PASSWORDS = { name: 'new-password', points: 60, seconds: 10 * 60 }

const LINKS = { name: 'password-link', points: 20, seconds: 60 * 60 }

const tags = ['Identity']

const postReset = defineRoute({
  method: 'post',
  path: '/password-resets',
  needs: { caller: 'anybody', key: 'none' },
  summary: 'Forgot password',
  description:
    'Mails a link to choose a new password, which works once, for 30 minutes. The answer is the same whether or not someone has the email.',
  tags,
  middleware: limitByAddress(RESETS),
  request: { body: { required: true, content: { 'application/json': { schema: passwordResetRequest } } } },
  responses: { 202: { description: 'A mail is on its way, if anybody has this email' } },
})

const postPassword = defineRoute({
  method: 'post',
  path: '/passwords',
  needs: { caller: 'anybody', key: 'none' },
  summary: 'Choose a new password with a link',
  description:
    'Signs nobody in: all sessions of the customer end, and a second factor is asked for as before. A password that is refused leaves the link as it was.',
  tags,
  middleware: [limitByAddress(NEW_PASSWORDS), shareOfAddress('passwords')],
  request: { body: { required: true, content: { 'application/json': { schema: newPasswordRequest } } } },
  responses: { 204: { description: 'The password is the new one' } },
})

const postLink = defineRoute({
  method: 'post',
  path: '/password-links',
  needs: { key: 'none' },
  summary: 'Have a link to choose a new password mailed to you',
  description: 'A few times an hour.',
  tags,
  responses: { 202: { description: 'A mail is on its way' } },
})

const linkAskerOf = (c: Context<ApiEnv>) => ({ caller: callerOf(c), asker: sourceOf(c), device: deviceIn(c) })

export function passwordRoutes({ limiters }: Pick<Deps, 'limiters'>) {
  const limited = limitByCustomer({ limiters }, LINKS)
  return router()
    .openapi(postReset, async (c) => {
      await askPasswordReset(c.get('deps'), c.req.valid('json').email, linkAskerOf(c))
      return c.body(null, 202)
    })
    .openapi(postPassword, async (c) => {
      await choosePassword(c.get('deps'), c.req.valid('json'), callerOf(c))
      return c.body(null, 204)
    })
    .openapi(postLink, async (c) => {
      await limited(c, async () => undefined)
      await askPasswordLink(c.get('deps'), c.get('customer'), linkAskerOf(c))
      return c.body(null, 202)
    })
}
