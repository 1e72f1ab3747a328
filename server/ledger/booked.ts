import type { Asset } from '#contract/money.ts'
import type { Execute } from '#server/ledger/execute.ts'
import type { AccountId, Booked, BookedLeg, Detail } from '#server/ledger/types.ts'

/** Operations that were applied, with their legs, as they were first answered; by id. Refused ones are left out. */
export async function fetchBooked(execute: Execute, ids: string[]): Promise<Map<string, Booked>> {
  const [rows = []] = await execute({
    text: `SELECT o.id, o.kind AS operation_kind, o.booked_at, ${DETAIL_COLUMNS}, t.*
             FROM ledger.operation o JOIN ledger.transfer t ON t.operation_id = o.id
            WHERE o.id = ANY($1::uuid[]) AND o.refusal IS NULL
            ORDER BY o.id, t.leg`,
    values: [ids],
  })
  const found = new Map<string, Booked>()
  for (const row of rows) {
    const id = row['id'] as string
    const booked = found.get(id) ?? {
      id,
      kind: row['operation_kind'] as string,
      bookedAt: row['booked_at'] as Date,
      detail: toDetail(row),
      legs: [],
      replayed: true,
    }
    booked.legs.push(toLeg(row))
    found.set(id, booked)
  }
  return found
}

const DETAIL_COLUMNS = 'o.debit_name, o.credit_name, o.category, o.method, o.note, o.settles_at'

function toDetail(row: Record<string, unknown>): Detail {
  const detail: Record<keyof Detail, unknown> = {
    debitName: row['debit_name'],
    creditName: row['credit_name'],
    category: row['category'],
    method: row['method'],
    note: row['note'],
    settlesAt: row['settles_at'],
  }
  return Object.fromEntries(Object.entries(detail).filter(([, value]) => value !== null))
}

function toLeg(row: Record<string, unknown>): BookedLeg {
  return {
    leg: row['leg'] as number,
    kind: row['kind'] as BookedLeg['kind'],
    asset: row['asset'] as Asset,
    debit: row['debit_account'] as AccountId,
    credit: row['credit_account'] as AccountId,
    amountMinor: row['amount_minor'] as number,
    heldMinor: row['held_minor'] as number,
    holdId: row['hold_id'] as string | null,
    debitVersion: row['debit_version'] as number | null,
    creditVersion: row['credit_version'] as number | null,
    debitBalanceMinor: row['debit_balance_minor'] as number | null,
    creditBalanceMinor: row['credit_balance_minor'] as number | null,
  }
}
