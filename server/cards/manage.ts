import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { SecurityEventKind } from '#contract/security-events.ts'
import type { Card, CardStatus } from '#server/cards/card.ts'
import { lockCard } from '#server/cards/use.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Caller } from '#server/platform/http/caller.ts'

/** A customer, on the device they act from. */
export type Holder = { customer: Pick<Customer, 'id' | 'currentAccountId'>; caller: Caller }

type ManageDeps = Pick<Deps, 'db' | 'clock' | 'events'>

/** One of the customer's cards that is not removed. Throws Refusal `not_found` and `card_removed`. */
export function usable(card: Card | null, customerId: string): Card {
  if (card?.customerId !== customerId) throw new Refusal('not_found')
  if (card.status === 'removed') throw new Refusal('card_removed')
  return card
}

/** The same, locked until the transaction ends. */
export async function lockOwnCard(trx: Transaction<Database>, customerId: string, cardId: string): Promise<Card> {
  return usable(await lockCard(trx, cardId), customerId)
}

/** Writes down what a customer did to a card and tells their open screens, once the SQL transaction commits. */
export async function recordChange(
  deps: ManageDeps,
  trx: Transaction<Database>,
  { customer, caller }: Holder,
  kind: SecurityEventKind,
): Promise<void> {
  await recordSecurityEvent(deps, trx, { customerId: customer.id, kind, caller })
  await deps.events.notify(trx, [customer.id], 'card')
}

/**
 * Freezes a card, or ends that: the next authorisation is decided by it. One that is so already stays as it is.
 * Throws Refusal `not_found` and `card_removed`.
 */
export async function setFrozen(deps: ManageDeps, holder: Holder, cardId: string, frozen: boolean): Promise<void> {
  const status: CardStatus = frozen ? 'frozen' : 'active'
  await inTransaction(deps.db, async (trx) => {
    const card = await lockOwnCard(trx, holder.customer.id, cardId)
    if (card.status === status) return
    await trx.updateTable('bank.card').set({ status }).where('id', '=', cardId).execute()
    await recordChange(deps, trx, holder, frozen ? 'card_frozen' : 'card_unfrozen')
  })
}
