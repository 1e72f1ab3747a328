import type { Context } from 'hono'
import { Refusal } from '#contract/errors.ts'
import { mailAsHtml, mailbox } from '#contract/mail.ts'
import { routes } from '#server/identity/access/route.ts'
import { clientOf } from '#server/identity/access/session.ts'
import { ownCustomer } from '#server/identity/sessions/visitors.ts'
import { mailboxHtml, mailboxOf } from '#server/mail/service.ts'
import { textsOf } from '#server/messages/service.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { isUuid } from '#server/platform/uuid.ts'

/**
 * Returns the ids of the customers whose mailbox the caller may read. Throws Refusal `not_found` if the bank shows no mailbox.
 */
async function readers(c: Context<ApiEnv>): Promise<string[]> {
  const deps = c.get('deps')
  if (!deps.policy.mailboxPage) throw new Refusal('not_found')
  const customer = await ownCustomer(deps, clientOf(c))
  return [...new Set([c.get('customer').id, ...(customer ? [customer.customer.id] : [])])]
}

export const mailboxRoutes = routes('Sample')
  .get(
    '/sample/mail',
    {
      refuses: ['not_found'],
      summary: 'The mails and text messages from the bank to you',
      description:
        'Also includes those of the customer who was opened in this browser, who may be signed out and waiting for a link. A bank without a mailbox page responds with `not_found`.',
      response: mailbox,
      responseDescription: 'The newest 50 of each',
    },
    async (c) => {
      const ids = await readers(c.http)
      const [mails, texts] = await Promise.all([mailboxOf(c.deps, ids), textsOf(c.deps, ids)])
      return { mails, texts }
    },
  )
  .get(
    '/sample/mail/{id}',
    { summary: 'One of those mails as HTML', response: mailAsHtml, responseDescription: 'The mail' },
    async (c) => {
      const { id } = c.params
      const html = isUuid(id) ? await mailboxHtml(c.deps, await readers(c.http), id) : null
      if (html === null) throw new Refusal('not_found')
      return { html }
    },
  )
