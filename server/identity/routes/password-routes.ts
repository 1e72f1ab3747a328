import type { Context } from 'hono'
import { newPasswordRequest, passwordResetRequest } from '#contract/identity.ts'
import { callerOf } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { limitByAddress, sourceOf } from '#server/platform/http/rate-limit.ts'
import { countCustomer } from '#server/identity/access/limit.ts'
import { routes } from '#server/identity/access/route.ts'
import { shareOfAddress } from '#server/platform/http/share.ts'
import { deviceIn } from '#server/identity/access/session.ts'
import { askPasswordLink, askPasswordReset, choosePassword } from '#server/identity/passwords/password-reset.ts'
import { PASSWORD_REFUSALS } from '#server/identity/passwords/password-rule.ts'

const RESETS = { name: 'reset', points: 60, seconds: 10 * 60 }
const NEW_PASSWORDS = { name: 'new-password', points: 60, seconds: 10 * 60 }

const LINKS = { name: 'password-link', points: 20, seconds: 60 * 60 }

const linkAskerOf = (c: Context<ApiEnv>) => ({ caller: callerOf(c), asker: sourceOf(c), device: deviceIn(c) })

export const passwordRoutes = routes('Identity')
  .post(
    '/password-resets',
    {
      caller: 'anybody',
      key: 'none',
      summary: 'Forgot password',
      description:
        'Mails a link to choose a new password, which works once, for 30 minutes. The answer is the same whether or not someone has the email.',
      middleware: limitByAddress(RESETS),
      body: passwordResetRequest,
      responses: { 202: { description: 'A mail is on its way, if anybody has this email' } },
    },
    async (c) => {
      await askPasswordReset(c.deps, c.body.email, linkAskerOf(c.http))
      return c.http.body(null, 202)
    },
  )
  .post(
    '/passwords',
    {
      caller: 'anybody',
      key: 'none',
      refuses: ['link_invalid', ...PASSWORD_REFUSALS],
      summary: 'Choose a new password with a link',
      description:
        'Signs nobody in: all sessions of the customer end, and a second factor is asked for as before. A password that is refused leaves the link as it was.',
      middleware: [limitByAddress(NEW_PASSWORDS), shareOfAddress('passwords')],
      body: newPasswordRequest,
    },
    async (c) => {
      await choosePassword(c.deps, c.body, callerOf(c.http))
    },
  )
  .post(
    '/password-links',
    {
      key: 'none',
      refuses: ['email_unconfirmed'],
      summary: 'Have a link to choose a new password mailed to you',
      description: 'A few times an hour.',
      responses: { 202: { description: 'A mail is on its way' } },
    },
    async (c) => {
      await countCustomer(c.http, LINKS)
      await askPasswordLink(c.deps, c.customer, linkAskerOf(c.http))
      return c.http.body(null, 202)
    },
  )
