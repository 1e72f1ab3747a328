import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { SecurityEventKind } from '#contract/security-events.ts'
import type { CardRecord, CardStatus } from '#server/cards/card.ts'
import { lockCard } from '#server/cards/card-usage.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Caller } from '#server/platform/http/caller.ts'

/** A customer who manages a card, with the device of the request. */
export type CardOwner = { customer: Pick<Customer, 'id' | 'currentAccountId'>; caller: Caller }

type ManageDeps = Pick<Deps, 'db' | 'clock' | 'events'>

/** Returns the card. Throws Refusal `not_found` if it does not belong to the customer, and `card_removed` if it was removed. */
export function checkOwnCard(card: CardRecord | null, customerId: string): CardRecord {
  if (card?.customerId !== customerId) throw new Refusal('not_found')
  if (card.status === 'removed') throw new Refusal('card_removed')
  return card
}

/** Locks a customer's card until the transaction ends. Throws Refusal `not_found` and `card_removed`. */
export async function lockOwnCard(trx: Transaction<Database>, customerId: string, cardId: string): Promise<CardRecord> {
  return checkOwnCard(await lockCard(trx, cardId), customerId)
}

/** Records a customer's change of a card, and updates open screens after the SQL transaction commits. */
export async function recordChange(
  deps: ManageDeps,
  trx: Transaction<Database>,
  { customer, caller }: CardOwner,
  kind: SecurityEventKind,
): Promise<void> {
  await recordSecurityEvent(deps, trx, { customerId: customer.id, kind, caller })
  await deps.events.notify(trx, [customer.id], 'card')
}

/**
 * Freezes or unfreezes a card, with effect from the next authorization. A card already in that state stays unchanged. Throws
 * Refusal `not_found` and `card_removed`.
 */
export async function setFrozen(deps: ManageDeps, holder: CardOwner, cardId: string, frozen: boolean): Promise<void> {
  const status: CardStatus = frozen ? 'frozen' : 'active'
  await inTransaction(deps.db, async (trx) => {
    const card = await lockOwnCard(trx, holder.customer.id, cardId)
    if (card.status === status) return
    await trx.updateTable('bank.card').set({ status }).where('id', '=', cardId).execute()
    await recordChange(deps, trx, holder, frozen ? 'card_frozen' : 'card_unfrozen')
  })
}
