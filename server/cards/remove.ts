import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSweep } from '#server/platform/jobs/sweep.ts'
import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { CardRecord } from '#server/cards/card.ts'
import { type CardOwner, lockOwnCard, recordChange } from '#server/cards/own-card.ts'
import { cardMoveOperation } from '#server/cards/virtual-card-transfers.ts'
import { accountsById, closeAccount } from '#server/ledger/accounts.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId } from '#server/ledger/types.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'

type RemoveDeps = Pick<Deps, 'db' | 'clock' | 'events' | 'ledger'>

/**
 * Removes a card permanently. The balance of a virtual card moves to the current account, and later refunds go there too.
 * Returns the moved amount in US cents. Throws Refusal `not_found`, `card_removed`, and `card_payment_pending` while a payment
 * of a virtual card is open.
 */
export async function removeCard(
  deps: RemoveDeps,
  holder: CardOwner,
  cardId: string,
  key: RequestKey,
): Promise<{ returnedMinor: number }> {
  const { result } = await runOnce(deps, key, async (trx) => {
    const card = await lockOwnCard(trx, holder.customer.id, cardId)
    const returnedMinor = await removeLockedCard(deps, trx, card, holder.customer.currentAccountId)
    await recordChange(deps, trx, holder, 'card_removed')
    return { returnedMinor }
  })
  return result
}

/** Removes a locked card. The account of a virtual card is emptied and closed first. Returns the moved amount in US cents. */
async function removeLockedCard(
  deps: RemoveDeps,
  trx: Transaction<Database>,
  card: CardRecord,
  currentAccountId: AccountId,
): Promise<number> {
  const isVirtual = card.accountId !== currentAccountId
  const returnedMinor = isVirtual ? await emptyAndCloseAccount(deps, trx, card, currentAccountId) : 0
  await trx
    .updateTable('bank.card')
    .set({ status: 'removed', removed_at: deps.clock.businessNow(), account_id: currentAccountId })
    .where('id', '=', card.id)
    .execute()
  return returnedMinor
}

async function emptyAndCloseAccount(
  { ledger, clock }: RemoveDeps,
  trx: Transaction<Database>,
  card: CardRecord,
  currentAccountId: AccountId,
): Promise<number> {
  const run = runIn(trx)
  const [account] = await accountsById(run, [card.accountId])
  if (!account || account.heldMinor > 0) throw new Refusal('card_payment_pending')
  const { balanceMinor } = account
  if (balanceMinor > 0) {
    const ids = {
      ...derivedIdentity('cards', card.id, 'return'),
      fingerprint: fingerprintOf('card.return', card.id, balanceMinor),
    }
    const move = { from: card.accountId, to: currentAccountId, amountMinor: balanceMinor, name: card.name }
    const [booked] = await ledger.postWithin(run, [
      cardMoveOperation({ ...ids, ...move, bookedAt: clock.businessNow() }),
    ])
    if (booked?.replayed) throw new Error('The balance of this card was moved before, although the card is not removed')
  }
  // The account cannot be closed if a payment or a refund arrives at the same moment.
  if (!(await closeAccount(run, card.accountId))) throw new Refusal('card_payment_pending')
  return balanceMinor
}

/** The time that the payment of a single-use card has to finish before the card is removed, in milliseconds. */
const REMOVED_AFTER_MS = 10 * 60_000

/** Removes single-use cards after their payment. Their remaining balance moves to the current account. */
export const removeUsedCardsJob = defineSweep({
  name: 'cards.end_used',
  everyMinutes: 5,
  find: findUsedCards,
  work: removeUsedCard,
  failed: 'a used single-use card could not be removed',
})

type UsedCard = { id: string; customer_id: string; current_account_id: AccountId }

function findUsedCards({ db, clock }: Pick<Deps, 'db' | 'clock'>, after: UsedCard | null): Promise<UsedCard[]> {
  let query = db
    .selectFrom('bank.card as k')
    .innerJoin('bank.customer as c', 'c.id', 'k.customer_id')
    .select(['k.id', 'k.customer_id', 'c.current_account_id'])
    .where('k.kind', '=', 'single_use')
    .where('k.status', '<>', 'removed')
    .where('k.used_at', '<', new Date(clock.businessNow().getTime() - REMOVED_AFTER_MS))
  if (after) query = query.where('k.id', '>', after.id)
  return query.orderBy('k.id').limit(PAGE_SIZE).execute()
}

async function removeUsedCard(
  deps: RemoveDeps,
  { id, customer_id: customerId, current_account_id: currentAccountId }: UsedCard,
): Promise<void> {
  try {
    await inTransaction(deps.db, async (trx) => {
      await removeLockedCard(deps, trx, await lockOwnCard(trx, customerId, id), currentAccountId)
      await deps.events.notify(trx, [customerId], 'card')
    })
  } catch (error) {
    // There are two reasons: the payment is still open, and the next run tries again; or the customer has removed the card
    // already.
    if (!(error instanceof Refusal) || error.code === 'unavailable') throw error
  }
}
