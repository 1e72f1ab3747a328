import type { Context } from 'hono'
import { Refusal } from '#contract/errors.ts'
import { mailAsHtml, mailbox } from '#contract/mail.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { clientOf } from '#server/identity/access/session.ts'
import { ownCustomer } from '#server/identity/sessions/visitors.ts'
import { mailboxHtml, mailboxOf } from '#server/mail/service.ts'
import { textsOf } from '#server/messages/service.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { isUuid } from '#server/platform/uuid.ts'
import { idParam } from '#server/platform/http/id-param.ts'

const readMailbox = defineRoute({
  method: 'get',
  path: '/sample/mail',
  summary: 'The mails and text messages the bank wrote to you',
  description:
    'And those of the customer who was opened in this browser, who may be signed out and waiting for a link. Only where the bank shows its mailbox page; elsewhere there is nothing here.',
  tags: ['Sample'],
  responses: { 200: { description: 'The newest 50 of each', content: { 'application/json': { schema: mailbox } } } },
})

const readMail = defineRoute({
  method: 'get',
  path: '/sample/mail/{id}',
  summary: 'One of those mails as HTML',
  tags: ['Sample'],
  request: { params: idParam },
  responses: { 200: { description: 'The mail', content: { 'application/json': { schema: mailAsHtml } } } },
})

/** Whose mailbox is read. Only where the bank shows one. */
async function readers(c: Context<ApiEnv>): Promise<string[]> {
  const deps = c.get('deps')
  if (!deps.policy.mailboxPage) throw new Refusal('not_found')
  const own = await ownCustomer(deps, clientOf(c))
  return [...new Set([c.get('customer').id, ...(own ? [own.customer.id] : [])])]
}

export const mailboxRoutes = router()
  .openapi(readMailbox, async (c) => {
    const ids = await readers(c)
    const [mails, texts] = await Promise.all([mailboxOf(c.get('deps'), ids), textsOf(c.get('deps'), ids)])
    return c.json({ mails, texts }, 200)
  })
  .openapi(readMail, async (c) => {
    const { id } = c.req.valid('param')
    const html = isUuid(id) ? await mailboxHtml(c.get('deps'), await readers(c), id) : null
    if (html === null) throw new Refusal('not_found')
    return c.json({ html }, 200)
  })
