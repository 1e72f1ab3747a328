import type { Asset } from '#contract/money.ts'
import type { Execute } from '#server/ledger/execute.ts'
import type { AccountId, BookedOperation, BookedLeg, Detail } from '#server/ledger/types.ts'

/** Returns applied operations with their legs, by id, as in their first answer. */
export async function findOperations(execute: Execute, ids: string[]): Promise<Map<string, BookedOperation>> {
  const [rows = []] = await execute({
    text: `SELECT o.id, o.kind AS operation_kind, o.booked_at, t.leg, t.kind, t.asset, t.debit_account, t.credit_account,
                  t.amount_minor, t.held_minor, t.hold_id, t.debit_version, t.credit_version,
                  t.debit_balance_minor::text, t.credit_balance_minor::text, ${DETAIL_COLUMNS}
             FROM ledger.operation o JOIN ledger.transfer t ON t.operation_id = o.id AND t.period = o.period
            WHERE o.id = ANY($1::uuid[])
            ORDER BY o.id, t.leg`,
    values: [ids],
  })
  const bookedById = new Map<string, BookedOperation>()
  for (const row of rows) {
    const id = row['id'] as string
    const booked = bookedById.get(id) ?? {
      id,
      kind: row['operation_kind'] as string,
      bookedAt: row['booked_at'] as Date,
      legs: [],
      replayed: true,
    }
    booked.legs.push(toLeg(row))
    bookedById.set(id, booked)
  }
  return bookedById
}

/** The columns of a transfer `t` that describe a leg. */
export const DETAIL_COLUMNS =
  't.debit_name, t.credit_name, t.label, t.category, t.method, t.params, t.note, t.settles_at'

export function toDetail(row: Record<string, unknown>): Detail {
  const detail: Record<keyof Detail, unknown> = {
    debitName: row['debit_name'],
    creditName: row['credit_name'],
    label: row['label'],
    category: row['category'],
    method: row['method'],
    params: row['params'],
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
    debitBalanceMinor: wide(row['debit_balance_minor']),
    creditBalanceMinor: wide(row['credit_balance_minor']),
    detail: toDetail(row),
  }
}

const wide = (text: unknown): bigint | null => (text === null ? null : BigInt(text as string))
