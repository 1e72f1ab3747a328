import type { Selectable, Transaction } from 'kysely'
import { z } from 'zod'
import { UNPAID_REASONS, type UnpaidReason } from '#contract/notice-facts.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { reportStatus } from '#server/rails/provider.ts'

type Trx = Transaction<Database>
export type ReportedMandate = Pick<Selectable<Database['bank.mandate']>, 'id' | 'rail'>

/** The jobs that tell a provider what became of what it passed on (jobs.ts). */
export const reportMandate = {
  name: 'direct_debits.report_mandate',
  payload: z.object({ mandateId: z.uuid() }),
}
export const reportDebit = {
  name: 'direct_debits.report_debit',
  payload: z.object({ debitId: z.uuid(), reason: z.enum(UNPAID_REASONS).optional() }),
}

/** Reports of one thing are made one after the other, so that the provider hears last how it stands now. */
const inTurn = (id: string) => ({ queue: `direct_debits.report:${id}` })

/** Has a mandate's provider told how it stands, once the SQL transaction commits. */
export async function reportMandateSoon(trx: Trx, { id, rail }: ReportedMandate): Promise<void> {
  if (rail === 'provider') await enqueue(trx, reportMandate, { mandateId: id }, inTurn(id))
}

/** The same of a direct debit, and why it was not paid. */
export async function reportDebitSoon(
  trx: Trx,
  debitId: string,
  { rail }: Pick<ReportedMandate, 'rail'>,
  reason?: UnpaidReason,
): Promise<void> {
  if (rail === 'provider') await enqueue(trx, reportDebit, { debitId, ...(reason && { reason }) }, inTurn(debitId))
}

/** Tells how a mandate stands now. Where the provider does not answer it throws, and the job is tried again later. */
export async function tellOfMandate(deps: Deps, { mandateId }: z.infer<typeof reportMandate.payload>): Promise<void> {
  const { status } = await deps.db
    .selectFrom('bank.mandate')
    .select('status')
    .where('id', '=', mandateId)
    .executeTakeFirstOrThrow()
  const answer = await reportStatus(deps, 'mandates', { id: mandateId, status })
  if (answer === 'refused') deps.log.error({ mandateId, status }, 'a rail does not know this mandate')
}

/** The same of a direct debit. */
export async function tellOfDebit(deps: Deps, { debitId, reason }: z.infer<typeof reportDebit.payload>): Promise<void> {
  const debit = await deps.db
    .selectFrom('bank.direct_debit')
    .select(['status', 'amount_minor', 'asset'])
    .where('id', '=', debitId)
    .executeTakeFirstOrThrow()
  const { status, amount_minor: amountMinor, asset } = debit
  const standing = { id: debitId, status, amountMinor, asset, ...(reason && { reason }) }
  const answer = await reportStatus(deps, 'debits', standing)
  if (answer === 'refused') deps.log.error({ debitId, status }, 'a rail does not know this direct debit')
}
