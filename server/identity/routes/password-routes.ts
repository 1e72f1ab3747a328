import type { Context } from 'hono'
import { newPasswordRequest, passwordResetRequest } from '#contract/identity.ts'
import { callerOf } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { limitByAddress, networkKeyOf } from '#server/platform/http/rate-limit.ts'
import { countCustomer } from '#server/identity/access/customer-limit.ts'
import { routes } from '#server/identity/access/route.ts'
import { limitConcurrencyByAddress } from '#server/platform/http/concurrency-limit.ts'
import { deviceIn } from '#server/identity/access/session.ts'
import { askPasswordLink, askPasswordReset, choosePassword } from '#server/identity/passwords/password-reset.ts'
import { PASSWORD_REFUSALS } from '#server/identity/passwords/password-rule.ts'

const RESETS = { name: 'reset', points: 60, seconds: 10 * 60 }
const NEW_PASSWORDS = { name: 'new-password', points: 60, seconds: 10 * 60 }

const LINKS = { name: 'password-link', points: 20, seconds: 60 * 60 }

const linkAskerOf = (c: Context<ApiEnv>) => ({ caller: callerOf(c), asker: networkKeyOf(c), device: deviceIn(c) })

export const passwordRoutes = routes('Identity')
  .post(
    '/password-resets',
    {
      caller: 'anybody',
      key: 'none',
      summary: 'Forgot password',
      description:
        'Mails a link to choose a new password. The link works once, for 30 minutes. The response is the same whether or not a customer has the email.',
      middleware: limitByAddress(RESETS),
      body: passwordResetRequest,
      responses: { 202: { description: 'A mail is on its way if a customer has this email' } },
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
        'Ends all sessions of the customer and begins no new one. The next sign-in still needs the second factor. If the password is refused, the link stays valid.',
      middleware: [limitByAddress(NEW_PASSWORDS), limitConcurrencyByAddress('passwords')],
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
      summary: 'Get a mail with a link to choose a new password',
      description: 'Limited to a few times an hour.',
      responses: { 202: { description: 'A mail is on its way' } },
    },
    async (c) => {
      await countCustomer(c.http, LINKS)
      await askPasswordLink(c.deps, c.customer, linkAskerOf(c.http))
      return c.http.body(null, 202)
    },
  )
