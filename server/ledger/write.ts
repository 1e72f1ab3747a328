import type { SqlStatement } from '#server/platform/db/statement.ts'
import { nullableArray, numberArray, plainArray, quotedArray } from '#server/ledger/literals.ts'
import type { BookedLeg, DayLimit, LedgerRefusal, Leg, Operation } from '#server/ledger/types.ts'

/** An operation with its decision: its legs, or the reason for the refusal. */
export type DecidedOperation = { operation: Operation; legs: BookedLeg[]; refusal: LedgerRefusal | null }

/**
 * Inserts operations with their transfers, and refusals, in one statement; a trigger moves the balances. In a small batch, the
 * number of statements costs more than the rows.
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

export function writeStatement(decided: DecidedOperation[]): SqlStatement {
  const applied = decided.filter((decision) => decision.refusal === null)
  const legs = applied.flatMap((decision) => decision.legs.map((leg) => ({ leg, operation: decision.operation })))
  const values = [
    ...operationValues(applied.map((decision) => decision.operation)),
    ...transferValues(legs),
    ...detailValues(legs),
    ...refusalValues(decided.filter((decision) => decision.refusal !== null)),
  ]
  return { text: WRITE, values }
}

function operationValues(operations: Operation[]): string[] {
  return [
    plainArray(operations.map((operation) => operation.id)),
    plainArray(operations.map((operation) => operation.kind)),
    plainArray(operations.map((operation) => operation.fingerprint)),
    plainArray(operations.map((operation) => operation.bookedAt.toISOString())),
    nullableArray(operations.map((operation) => operation.reverses)),
  ]
}

function refusalValues(refused: DecidedOperation[]): string[] {
  return [
    plainArray(refused.map((decision) => decision.operation.id)),
    plainArray(refused.map((decision) => decision.operation.fingerprint)),
    nullableArray(refused.map((decision) => decision.refusal)),
  ]
}

type Row = { leg: BookedLeg; operation: Operation }

function transferValues(rows: Row[]): string[] {
  const legs = rows.map((row) => row.leg)
  return [
    plainArray(rows.map((row) => row.operation.id)),
    numberArray(legs.map((leg) => leg.leg)),
    plainArray(legs.map((leg) => leg.kind)),
    plainArray(legs.map((leg) => leg.asset)),
    numberArray(legs.map((leg) => leg.debit)),
    numberArray(legs.map((leg) => leg.credit)),
    numberArray(legs.map((leg) => leg.amountMinor)),
    numberArray(legs.map((leg) => leg.heldMinor)),
    nullableArray(legs.map((leg) => leg.holdId)),
    nullableArray(rows.map(expiryOf)),
    nullableArray(legs.map((leg) => leg.debitVersion)),
    nullableArray(legs.map((leg) => leg.creditVersion)),
    nullableArray(legs.map((leg) => leg.debitBalanceMinor)),
    nullableArray(legs.map((leg) => leg.creditBalanceMinor)),
  ]
}

function detailValues(rows: Row[]): string[] {
  const details = rows.map((row) => row.leg.detail)
  const dayLimits = rows.map(dayLimitOf)
  return [
    plainArray(rows.map((row) => row.operation.bookedAt.toISOString())),
    quotedArray(details.map((detail) => detail.debitName)),
    quotedArray(details.map((detail) => detail.creditName)),
    nullableArray(details.map((detail) => detail.label)),
    nullableArray(details.map((detail) => detail.category)),
    nullableArray(details.map((detail) => detail.method)),
    quotedArray(details.map((detail) => detail.params && JSON.stringify(detail.params))),
    quotedArray(details.map((detail) => detail.note)),
    nullableArray(details.map((detail) => detail.settlesAt?.toISOString())),
    nullableArray(dayLimits.map((limit) => limit?.accountId)),
    nullableArray(dayLimits.map((limit) => limit?.direction)),
  ]
}

/** Returns the requested leg of a row; undefined if the row belongs to a reversal. */
const requestedLeg = ({ leg, operation }: Row): Leg | undefined => operation.legs[leg.leg]

function dayLimitOf(row: Row): DayLimit | undefined {
  const leg = requestedLeg(row)
  return leg?.kind === 'transfer' || leg?.kind === 'hold' ? leg.dayLimit : undefined
}

function expiryOf(row: Row): string | undefined {
  const leg = requestedLeg(row)
  return leg?.kind === 'hold' ? leg.expiresAt?.toISOString() : undefined
}
