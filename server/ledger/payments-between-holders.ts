import type { Run } from '#server/platform/db/run.ts'

/** A payment from one holder's current account to another holder's current account. */
export type HolderPayment = {
  operationId: string
  payerId: string
  payeeId: string
  /** The amount in US cents. */
  amountMinor: number
  bookedAt: Date
  /** The payee's name as the payer sees it. */
  name: string
}

/** The last row of a page, from which the next page continues. */
export type HolderPaymentCursor = Pick<HolderPayment, 'bookedAt' | 'operationId'>

/**
 * Returns a page of payments between holders, oldest first. The page starts after the last row of the previous page and ends
 * before a moment of business time. Corrections are left out.
 */
export async function paidBetweenHolders(
  run: Run,
  { after, before, limit }: { after: HolderPaymentCursor; before: Date; limit: number },
): Promise<HolderPayment[]> {
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
