import { z } from 'zod'
import type { Deps } from '#server/platform/deps.ts'
import { findCustomers } from '#server/identity/customers/customers.ts'
import { nameOr } from '#server/identity/customers/name.ts'
import { canMail } from '#server/mail/mail-limit.ts'
import { ownerForRequester, sealedToken, sendMail } from '#server/mail/service.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { requestToken } from '#server/requests/link.ts'
import { openMinor } from '#server/requests/request.ts'

const requestMail = z.object({ requestId: z.uuid() })

/**
 * Mails the link of a request to an address that belongs to no customer. One address receives only a few such mails a day,
 * counted over all requesters.
 */
export async function mailRequest(deps: Deps, { requestId }: z.infer<typeof requestMail>): Promise<void> {
  const request = await deps.db
    .selectFrom('bank.money_request')
    .selectAll()
    .where('id', '=', requestId)
    .where('status', '=', 'open')
    .where('payer_id', 'is', null)
    .executeTakeFirst()
  const payerAddress = request?.payer_address
  if (!request || !payerAddress?.includes('@')) return
  const requester = (await findCustomers(deps, [request.requester_id])).get(request.requester_id)
  if (!requester) return
  if (!(await canMail(deps, { about: 'money_request', to: payerAddress, asker: requester.id }))) return
  await sendMail(deps, deps.db, {
    to: payerAddress,
    // The requester must not learn whether the address belongs to a customer. A customer's address gets no such mail
    // (notify-payer.ts), so a list of the requester's mails would reveal it.
    ...ownerForRequester(deps, requester),
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

/** Handles jobs that were enqueued by versions before notify-payer.ts. */
export const mailRequestJob = defineJob({ name: 'requests.mail_request', payload: requestMail, work: mailRequest })
