import type { Selectable, Transaction } from 'kysely'
import { z } from 'zod'
import { UNPAID_REASONS, type UnpaidReason } from '#contract/notice-facts.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { reportStatus } from '#server/rails/provider.ts'

type Trx = Transaction<Database>
export type ReportedMandate = Pick<Selectable<Database['bank.mandate']>, 'id' | 'rail'>

/** The jobs that report the outcome of mandates and direct debits to the provider (jobs.ts). */
export const reportMandate = {
  name: 'direct_debits.report_mandate',
  payload: z.object({ mandateId: z.uuid() }),
}
export const reportDebit = {
  name: 'direct_debits.report_debit',
  payload: z.object({ debitId: z.uuid(), reason: z.enum(UNPAID_REASONS).optional() }),
}

/** Reports about the same id run one after the other, so that the provider receives the current status last. */
const inTurn = (id: string) => ({ queue: `direct_debits.report:${id}` })

/** Enqueues a report of a mandate's status to its provider; it runs after the SQL transaction commits. */
export async function enqueueMandateReport(trx: Trx, { id, rail }: ReportedMandate): Promise<void> {
  if (rail === 'provider') await enqueue(trx, reportMandate, { mandateId: id }, inTurn(id))
}

/** Enqueues a report of a direct debit's status, with the reason if it is unpaid. */
export async function enqueueDebitReport(
  trx: Trx,
  debitId: string,
  { rail }: Pick<ReportedMandate, 'rail'>,
  reason?: UnpaidReason,
): Promise<void> {
  if (rail === 'provider') await enqueue(trx, reportDebit, { debitId, ...(reason && { reason }) }, inTurn(debitId))
}

/** Reports a mandate's current status. Throws if the provider does not respond, so that the job is retried. */
export async function deliverMandateReport(
  deps: Deps,
  { mandateId }: z.infer<typeof reportMandate.payload>,
): Promise<void> {
  const { status } = await deps.db
    .selectFrom('bank.mandate')
    .select('status')
    .where('id', '=', mandateId)
    .executeTakeFirstOrThrow()
  const answer = await reportStatus(deps, 'mandates', { id: mandateId, status })
  if (answer === 'refused') deps.log.error({ mandateId, status }, 'a rail does not know this mandate')
}

/** Reports a direct debit's current status. Throws if the provider does not respond, so that the job is retried. */
export async function deliverDebitReport(
  deps: Deps,
  { debitId, reason }: z.infer<typeof reportDebit.payload>,
): Promise<void> {
  const debit = await deps.db
    .selectFrom('bank.direct_debit')
    .select(['status', 'amount_minor', 'asset'])
    .where('id', '=', debitId)
    .executeTakeFirstOrThrow()
  const { status, amount_minor: amountMinor, asset } = debit
  const mandateState = { id: debitId, status, amountMinor, asset, ...(reason && { reason }) }
  const answer = await reportStatus(deps, 'debits', mandateState)
  if (answer === 'refused') deps.log.error({ debitId, status }, 'a rail does not know this direct debit')
}
