import type { Statement } from '#server/platform/db/statement.ts'
import { nullable, numbers, plain, quoted } from '#server/ledger/literals.ts'
import type { BookedLeg, DayLimit, LedgerRefusal, Leg, Operation } from '#server/ledger/types.ts'

/** An operation with what was decided of it: its legs, or why not. */
export type Decided = { operation: Operation; legs: BookedLeg[]; refusal: LedgerRefusal | null }

/**
 * Operations and their transfers (which move the balances, by trigger) in one statement: for a small batch the number
 * of statements costs more than the rows.
 */
const WRITE = `
  WITH operations AS (
    INSERT INTO ledger.operation (id, kind, fingerprint, booked_at, reverses)
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::uuid[])
  ), transfers AS (
    INSERT INTO ledger.transfer (operation_id, leg, kind, asset, debit_account, credit_account, amount_minor,
      held_minor, hold_id, expires_at, debit_version, credit_version, debit_balance_minor, credit_balance_minor,
      booked_at, debit_name, credit_name, label, category, method, params, note, settles_at,
      limit_account, limit_direction)
    SELECT * FROM unnest($6::uuid[], $7::smallint[], $8::text[], $9::text[], $10::bigint[], $11::bigint[],
      $12::bigint[], $13::bigint[], $14::uuid[], $15::timestamptz[], $16::bigint[], $17::bigint[], $18::numeric[],
      $19::numeric[], $20::timestamptz[], $21::text[], $22::text[], $23::text[], $24::text[], $25::text[], $26::jsonb[],
      $27::text[], $28::timestamptz[], $29::bigint[], $30::text[])
  )
  INSERT INTO ledger.refusal (operation_id, fingerprint, code)
  SELECT * FROM unnest($31::uuid[], $32::text[], $33::text[]) ON CONFLICT (operation_id) DO NOTHING`

export function writeStatement(decided: Decided[]): Statement {
  const applied = decided.filter((one) => one.refusal === null)
  const legs = applied.flatMap((one) => one.legs.map((leg) => ({ leg, operation: one.operation })))
  const values = [
    ...operationValues(applied.map((one) => one.operation)),
    ...transferValues(legs),
    ...detailValues(legs),
    ...refusalValues(decided.filter((one) => one.refusal !== null)),
  ]
  return { text: WRITE, values }
}

function operationValues(operations: Operation[]): string[] {
  return [
    plain(operations.map((one) => one.id)),
    plain(operations.map((one) => one.kind)),
    plain(operations.map((one) => one.fingerprint)),
    plain(operations.map((one) => one.bookedAt.toISOString())),
    nullable(operations.map((one) => one.reverses)),
  ]
}

function refusalValues(refused: Decided[]): string[] {
  return [
    plain(refused.map((one) => one.operation.id)),
    plain(refused.map((one) => one.operation.fingerprint)),
    nullable(refused.map((one) => one.refusal)),
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

function detailValues(rows: Row[]): string[] {
  const details = rows.map((row) => row.leg.detail)
  const dayLimits = rows.map(dayLimitOf)
  return [
    plain(rows.map((row) => row.operation.bookedAt.toISOString())),
    quoted(details.map((detail) => detail.debitName)),
    quoted(details.map((detail) => detail.creditName)),
    nullable(details.map((detail) => detail.label)),
    nullable(details.map((detail) => detail.category)),
    nullable(details.map((detail) => detail.method)),
    quoted(details.map((detail) => detail.params && JSON.stringify(detail.params))),
    quoted(details.map((detail) => detail.note)),
    nullable(details.map((detail) => detail.settlesAt?.toISOString())),
    nullable(dayLimits.map((limit) => limit?.accountId)),
    nullable(dayLimits.map((limit) => limit?.direction)),
  ]
}

/** The leg as it was asked for; of a reversal there is none. */
const askedLeg = ({ leg, operation }: Row): Leg | undefined => operation.legs[leg.leg]

function dayLimitOf(row: Row): DayLimit | undefined {
  const leg = askedLeg(row)
  return leg?.kind === 'transfer' || leg?.kind === 'hold' ? leg.dayLimit : undefined
}

function expiryOf(row: Row): string | undefined {
  const leg = askedLeg(row)
  return leg?.kind === 'hold' ? leg.expiresAt?.toISOString() : undefined
}
