import { Refusal } from '#contract/errors.ts'
import { mailbox } from '#contract/mail.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { clientOf } from '#server/identity/access/session.ts'
import { ownCustomer } from '#server/identity/sessions/visitors.ts'
import { mailboxOf } from '#server/mail/service.ts'
import { textsOf } from '#server/messages/service.ts'

const readMailbox = defineRoute({
  method: 'get',
  path: '/sample/mail',
  summary: 'The mails and text messages the bank wrote to you',
  description:
    'And those of the customer who was opened in this browser, who may be signed out and waiting for a link. Only where the bank shows its mailbox page; elsewhere there is nothing here.',
  tags: ['Sample'],
  responses: { 200: { description: 'The newest 50 of each', content: { 'application/json': { schema: mailbox } } } },
})

export const mailboxRoutes = router().openapi(readMailbox, async (c) => {
  const deps = c.get('deps')
  if (!deps.policy.mailboxPage) throw new Refusal('not_found')
  const own = await ownCustomer(deps, clientOf(c))
  const ids = [...new Set([c.get('customer').id, ...(own ? [own.customer.id] : [])])]
  const [mails, texts] = await Promise.all([mailboxOf(deps, ids), textsOf(deps, ids)])
  return c.json({ mails, texts }, 200)
})
