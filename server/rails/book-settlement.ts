import { Refusal } from '#contract/errors.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { Operation } from '#server/ledger/types.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { SettlementEvent } from '#server/rails/event.ts'
import { recordEvent } from '#server/rails/record-event.ts'

type SettlingDeps = Pick<Deps, 'clock' | 'config' | 'db' | 'ledger'>

/**
 * Books a settlement between the bank and its provider once: at the central bank, the bank has paid the provider or the
 * provider has paid the bank. Throws Refusal `collection_mismatch` if the settlement is stored with other values.
 */
export async function bookSettlement(deps: SettlingDeps, event: SettlementEvent): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await recordEvent(deps, trx, event))) return
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
    ...derivedIdentity('rails', id, 'settlement'),
    kind: type,
    fingerprint: fingerprintOf(type, id, amountMinor, asset),
    bookedAt: clock.businessNow(),
    legs: [{ kind: 'transfer', debit, credit, amountMinor, detail: { method: 'bank_transfer' } }],
  }
}
