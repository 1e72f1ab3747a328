import type { Statement } from '#server/ledger/execute.ts'
import { nullable, numbers, plain, quoted } from '#server/ledger/literals.ts'
import type { BookedLeg, LedgerRefusal, Operation } from '#server/ledger/types.ts'

/** An operation with what was decided of it: its legs, or why not. */
export type Decided = { operation: Operation; legs: BookedLeg[]; refusal: LedgerRefusal | null }

/**
 * Operations and their transfers (which move the balances, by trigger) in one statement: for a small batch the number
 * of statements costs more than the rows.
 */
const WRITE = `
  WITH operations AS (
    INSERT INTO ledger.operation (id, kind, fingerprint, booked_at, refusal, reverses,
      debit_name, credit_name, category, method, note, settles_at)
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::uuid[],
      $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::timestamptz[])
  )
  INSERT INTO ledger.transfer (operation_id, leg, kind, asset, debit_account, credit_account, amount_minor,
    held_minor, hold_id, expires_at, debit_version, credit_version, debit_balance_minor, credit_balance_minor)
  SELECT * FROM unnest($13::uuid[], $14::smallint[], $15::text[], $16::text[], $17::bigint[], $18::bigint[],
    $19::bigint[], $20::bigint[], $21::uuid[], $22::timestamptz[], $23::bigint[], $24::bigint[], $25::bigint[],
    $26::bigint[])`

export function writeStatement(decided: Decided[]): Statement {
  const legs = decided.flatMap((one) => one.legs.map((leg) => ({ leg, operation: one.operation })))
  const values = [...operationValues(decided), ...transferValues(legs)]
  return { name: 'ledger_write', text: WRITE, values }
}

function operationValues(decided: Decided[]): string[] {
  const operations = decided.map((one) => one.operation)
  return [
    plain(operations.map((one) => one.id)),
    plain(operations.map((one) => one.kind)),
    plain(operations.map((one) => one.fingerprint)),
    plain(operations.map((one) => one.bookedAt.toISOString())),
    nullable(decided.map((one) => one.refusal)),
    nullable(operations.map((one) => one.reverses)),
    quoted(operations.map((one) => one.detail.debitName)),
    quoted(operations.map((one) => one.detail.creditName)),
    nullable(operations.map((one) => one.detail.category)),
    quoted(operations.map((one) => one.detail.method)),
    quoted(operations.map((one) => one.detail.note)),
    nullable(operations.map((one) => one.detail.settlesAt?.toISOString())),
  ]
}

type Row = { leg: BookedLeg; operation: Operation }

function transferValues(rows: Row[]): string[] {
  const legs = rows.map((row) => row.leg)
  return [
    plain(rows.map((row) => row.operation.id)),
    numbers(legs.map((leg) => leg.leg)),
    plain(legs.map((leg) => leg.kind)),
    plain(legs.map((leg) => leg.asset)),
    numbers(legs.map((leg) => leg.debit)),
    numbers(legs.map((leg) => leg.credit)),
    numbers(legs.map((leg) => leg.amountMinor)),
    numbers(legs.map((leg) => leg.heldMinor)),
    nullable(legs.map((leg) => leg.holdId)),
    nullable(rows.map(expiryOf)),
    nullable(legs.map((leg) => leg.debitVersion)),
    nullable(legs.map((leg) => leg.creditVersion)),
    nullable(legs.map((leg) => leg.debitBalanceMinor)),
    nullable(legs.map((leg) => leg.creditBalanceMinor)),
  ]
}

function expiryOf({ leg: { leg: place }, operation }: Row): string | undefined {
  const leg = operation.legs[place]
  return leg?.kind === 'hold' ? leg.expiresAt?.toISOString() : undefined
}
