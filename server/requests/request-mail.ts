import { z } from 'zod'
import type { Deps } from '#server/platform/deps.ts'
import { findCustomers } from '#server/identity/customers/customers.ts'
import { nameOr } from '#server/identity/customers/name.ts'
import { mayMail } from '#server/mail/mail-limit.ts'
import { ownedByAsker, sealedToken, sendMail } from '#server/mail/service.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { requestToken } from '#server/requests/link.ts'
import { openMinor } from '#server/requests/request.ts'

const requestMail = z.object({ requestId: z.uuid() })

/**
 * Mails the link to a request to an address that no customer has. Nobody is mailed more than a few times a day that somebody asks them for money, whoever asks.
 */
export async function mailRequest(deps: Deps, { requestId }: z.infer<typeof requestMail>): Promise<void> {
  const request = await deps.db
    .selectFrom('bank.money_request')
    .selectAll()
    .where('id', '=', requestId)
    .where('status', '=', 'open')
    .where('payer_id', 'is', null)
    .executeTakeFirst()
  const to = request?.payer_address
  if (!request || !to?.includes('@')) return
  const requester = (await findCustomers(deps, [request.requester_id])).get(request.requester_id)
  if (!requester) return
  if (!(await mayMail(deps, { about: 'money_request', to, asker: requester.id }))) return
  await sendMail(deps, deps.db, {
    to,
    // Of a customer's address no such mail is written, and the requester is not to learn whose it is.
    ...ownedByAsker(deps, requester),
    kind: 'money_request',
    params: {
      requesterName: nameOr(request.requester_name, ''),
      amountMinor: openMinor(request),
      asset: request.asset,
      hasNote: request.note !== null,
      expiresAt: request.expires_at.toISOString(),
    },
    token: sealedToken(deps.config, requestToken(deps.config, requestId)),
  })
}

/** Enqueued by versions before tell.ts; what waits of it is still mailed. */
export const mailRequestJob = defineJob({ name: 'requests.mail_request', payload: requestMail, work: mailRequest })
