import type { Transaction } from 'kysely'
import { z } from 'zod'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { canMail } from '#server/mail/mail-limit.ts'
import { nameOr } from '#server/identity/customers/name.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { sealedToken, sendMail } from '#server/mail/service.ts'
import { claimToken } from '#server/accounts/claim-link.ts'

const claimMail = z.object({ operationId: z.uuid(), to: z.string() })

/** Mails the link to a held payment after the SQL transaction commits. */
export async function enqueueClaimMail(trx: Transaction<Database>, mail: z.infer<typeof claimMail>): Promise<void> {
  await enqueue(trx, mailClaimJob, mail)
}

/**
 * Mails the link to a held payment that is still open, unless a limit of mails to this address is reached (mail-limit.ts). In
 * that case no mail is sent, but the money is still held, and the sender can share the link.
 */
async function mailClaim(deps: Deps, { operationId, to }: z.infer<typeof claimMail>): Promise<void> {
  const claim = await deps.db
    .selectFrom('bank.claim')
    .selectAll()
    .where('operation_id', '=', operationId)
    .where('status', '=', 'open')
    .executeTakeFirst()
  if (!claim) return
  const { sender_id: customerId, amount_minor: amountMinor, asset } = claim
  if (!(await canMail(deps, { about: 'payment_to_claim', to, asker: customerId }))) return
  await sendMail(deps, deps.db, {
    to,
    customerId,
    kind: 'payment_to_claim',
    params: {
      senderName: nameOr(claim.sender_name, ''),
      amountMinor,
      asset,
      hasNote: claim.note !== null,
      expiresAt: claim.expires_at.toISOString(),
    },
    token: sealedToken(deps.config, claimToken(deps.config, operationId)),
  })
}

export const mailClaimJob = defineJob({ name: 'payments.mail_claim', payload: claimMail, work: mailClaim })
