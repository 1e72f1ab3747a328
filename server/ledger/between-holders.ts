import type { Run } from '#server/platform/db/run.ts'

/** Money that one holder paid another, from current account to current account. */
export type PaidOver = {
  operationId: string
  payerId: string
  payeeId: string
  /** US cents. */
  amountMinor: number
  bookedAt: Date
  /** Whom the payer reads as paid. */
  name: string
}

/** Where a page ended. */
export type PaidOverPlace = Pick<PaidOver, 'bookedAt' | 'operationId'>

/**
 * What holders paid each other, oldest first, after the last one that was read and before a moment of business time.
 * Corrections are left out.
 */
export async function paidBetweenHolders(
  run: Run,
  { after, before, limit }: { after: PaidOverPlace; before: Date; limit: number },
): Promise<PaidOver[]> {
  const { rows } = await run(
    `SELECT t.operation_id, payer.holder_id AS payer_id, payee.holder_id AS payee_id, t.amount_minor, t.booked_at,
            coalesce(t.debit_name, '') AS name
       FROM ledger.transfer t
       JOIN ledger.operation o ON o.id = t.operation_id AND o.period = t.period AND o.reverses IS NULL
       JOIN ledger.account payer ON payer.id = t.debit_account AND payer.code = 'current'
       JOIN ledger.account payee ON payee.id = t.credit_account AND payee.code = 'current'
      WHERE t.booked_at >= $1 AND (t.booked_at, t.operation_id) > ($1, $2::uuid) AND t.booked_at < $3
        AND t.leg = 0 AND t.amount_minor > 0 AND payer.holder_id <> payee.holder_id
      ORDER BY t.booked_at, t.operation_id LIMIT $4`,
    [after.bookedAt, after.operationId, before, limit],
  )
  return rows.map((row) => ({
    operationId: row['operation_id'] as string,
    payerId: row['payer_id'] as string,
    payeeId: row['payee_id'] as string,
    amountMinor: row['amount_minor'] as number,
    bookedAt: row['booked_at'] as Date,
    name: row['name'] as string,
  }))
}
