import { Refusal } from '#contract/errors.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { Operation } from '#server/ledger/types.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { SettlementEvent } from '#server/rails/event.ts'
import { noteEvent } from '#server/rails/noted-events.ts'

type SettlingDeps = Pick<Deps, 'clock' | 'config' | 'db' | 'ledger'>

/**
 * Books that the bank and its provider have settled, once for each settlement: the bank has paid what it owed, or received what it
 * was owed, at the central bank. Throws Refusal `collection_mismatch` where the settlement is known otherwise.
 */
export async function bookSettlement(deps: SettlingDeps, event: SettlementEvent): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await noteEvent(deps, trx, event))) return
    try {
      await deps.ledger.postWithin(runIn(trx), [operationOf(deps, event)])
    } catch (error) {
      const isOther = error instanceof Refusal && error.code === 'idempotency_key_reused'
      if (isOther) throw new Refusal('collection_mismatch', 'id', { cause: error })
      throw error
    }
  })
}

function operationOf({ clock }: Pick<Deps, 'clock'>, { type, id, amountMinor, asset }: SettlementEvent): Operation {
  const [clearing, central] = [bankAccount('ach_clearing', asset), bankAccount('settlement_account', asset)]
  const [debit, credit] = type === 'settlement.received' ? [central, clearing] : [clearing, central]
  return {
    ...derived('rails', id, 'settlement'),
    kind: type,
    fingerprint: fingerprintOf(type, id, amountMinor, asset),
    bookedAt: clock.businessNow(),
    legs: [{ kind: 'transfer', debit, credit, amountMinor, detail: { method: 'bank_transfer' } }],
  }
}
