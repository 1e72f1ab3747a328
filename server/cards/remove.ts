import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSweep } from '#server/platform/jobs/sweep.ts'
import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Card } from '#server/cards/card.ts'
import { type Holder, lockOwnCard, recordChange } from '#server/cards/manage.ts'
import { cardMoveOperation } from '#server/cards/moves.ts'
import { accountsById, closeAccount } from '#server/ledger/accounts.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId } from '#server/ledger/types.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { once } from '#server/platform/once.ts'

type RemoveDeps = Pick<Deps, 'db' | 'clock' | 'events' | 'ledger'>

/**
 * Ends a card for good. What a virtual card still has goes back to the current account, as whatever is refunded to it
 * later. Answers what went back, US cents.
 * Throws Refusal `not_found`, `card_removed`, and `card_payment_pending` while a payment of a virtual card is open.
 */
export async function removeCard(
  deps: RemoveDeps,
  holder: Holder,
  cardId: string,
  key: RequestKey,
): Promise<{ returnedMinor: number }> {
  const { result } = await once(deps, key, async (trx) => {
    const card = await lockOwnCard(trx, holder.customer.id, cardId)
    const returnedMinor = await end(deps, trx, card, holder.customer.currentAccountId)
    await recordChange(deps, trx, holder, 'card_removed')
    return { returnedMinor }
  })
  return result
}

/** Empties and closes the account of a virtual card, which is locked, and removes the card. */
async function end(
  deps: RemoveDeps,
  trx: Transaction<Database>,
  card: Card,
  currentAccountId: AccountId,
): Promise<number> {
  const own = card.accountId !== currentAccountId
  const returnedMinor = own ? await emptyAccount(deps, trx, card, currentAccountId) : 0
  await trx
    .updateTable('bank.card')
    .set({ status: 'removed', removed_at: deps.clock.businessNow(), account_id: currentAccountId })
    .where('id', '=', card.id)
    .execute()
  return returnedMinor
}

async function emptyAccount(
  { ledger, clock }: RemoveDeps,
  trx: Transaction<Database>,
  card: Card,
  currentAccountId: AccountId,
): Promise<number> {
  const run = runIn(trx)
  const [account] = await accountsById(run, [card.accountId])
  if (!account || account.heldMinor > 0) throw new Refusal('card_payment_pending')
  const { balanceMinor } = account
  if (balanceMinor > 0) {
    const ids = {
      ...derived('cards', card.id, 'return'),
      fingerprint: fingerprintOf('card.return', card.id, balanceMinor),
    }
    const move = { from: card.accountId, to: currentAccountId, amountMinor: balanceMinor, name: card.name }
    const [booked] = await ledger.postWithin(run, [
      cardMoveOperation({ ...ids, ...move, bookedAt: clock.businessNow() }),
    ])
    if (booked?.replayed) throw new Error('A card that is there had been emptied for good')
  }
  // A payment or a refund of this very moment.
  if (!(await closeAccount(run, card.accountId))) throw new Refusal('card_payment_pending')
  return balanceMinor
}

/** How long a single-use card is left to its payment before what is left on it goes back, in milliseconds. */
const LEFT_MS = 10 * 60_000

/** Ends single-use cards whose payment is done: what is left on them goes back by itself. */
export const endUsedCardsJob = defineSweep({
  name: 'cards.end_used',
  everyMinutes: 5,
  find: usedCards,
  work: endUsed,
  failed: 'a card that has made its payment could not end',
})

type UsedCard = { id: string; customer_id: string; current_account_id: AccountId }

function usedCards({ db, clock }: Pick<Deps, 'db' | 'clock'>, after: UsedCard | null): Promise<UsedCard[]> {
  let query = db
    .selectFrom('bank.card as k')
    .innerJoin('bank.customer as c', 'c.id', 'k.customer_id')
    .select(['k.id', 'k.customer_id', 'c.current_account_id'])
    .where('k.kind', '=', 'single_use')
    .where('k.status', '<>', 'removed')
    .where('k.used_at', '<', new Date(clock.businessNow().getTime() - LEFT_MS))
  if (after) query = query.where('k.id', '>', after.id)
  return query.orderBy('k.id').limit(PAGE_SIZE).execute()
}

async function endUsed(deps: RemoveDeps, { id, customer_id: customerId, current_account_id }: UsedCard): Promise<void> {
  try {
    await inTransaction(deps.db, async (trx) => {
      await end(deps, trx, await lockOwnCard(trx, customerId, id), current_account_id)
      await deps.events.notify(trx, [customerId], 'card')
    })
  } catch (error) {
    // Its payment is still open, and it is found again; or its holder was faster.
    if (!(error instanceof Refusal) || error.code === 'unavailable') throw error
  }
}
