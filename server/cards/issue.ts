import { dayOf } from '#server/calendar/zone.ts'
import { expiryFrom, renewCard } from '#server/cards/renewal.ts'
import { lockOpenCustomer } from '#server/identity/customers/lock.ts'
import type { Transaction } from 'kysely'
import type { NewCardRequest } from '#contract/cards.ts'
import { Refusal } from '#contract/errors.ts'
import { type CardOwner, recordChange } from '#server/cards/own-card.ts'
import { cardMoveOperation } from '#server/cards/virtual-card-transfers.ts'
import { issueCard } from '#server/cards/service.ts'
import { openAccounts } from '#server/ledger/accounts.ts'
import type { AccountId } from '#server/ledger/types.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'

/** The name of a new main card, which stays until the holder renames the card. */
const MAIN_NAME = 'Main Card'

type IssueDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'events' | 'ledger' | 'policy'>

/**
 * Creates a virtual card with its own account and moves the requested amount to it from the current account. Returns the card's
 * id. Throws Refusal `card_limit_too_high`, `cards_full` at the policy's number of virtual cards, and the ledger's refusals.
 */
export async function createVirtualCard(
  deps: IssueDeps,
  holder: CardOwner,
  card: NewCardRequest,
  key: RequestKey,
): Promise<string> {
  const { name, kind, limitMinor, loadMinor, look = null } = card
  const { cards: maximums } = deps.policy
  const [limit, mostMinor] =
    kind === 'single_use'
      ? (['paymentLimitMinor', maximums.paymentMinor] as const)
      : (['monthLimitMinor', maximums.monthMinor] as const)
  if (limitMinor > mostMinor) throw new Refusal('card_limit_too_high', 'limitMinor')
  const { result } = await runOnce(deps, key, async (trx) => {
    const { id: customerId, currentAccountId } = holder.customer
    await checkNumber(deps, trx, customerId)
    const [accountId = 0] = await openAccounts(runIn(trx), [{ holderId: customerId, code: 'card', asset: 'USD' }])
    const bookedAt = deps.clock.businessNow()
    const issuedCard = await issueCard(
      { ...deps, db: trx },
      {
        customerId,
        accountId,
        type: 'debit',
        kind,
        name,
        look,
        expiresOn: expiryFrom(bookedAt),
        [limit]: limitMinor,
      },
    )
    await recordChange(deps, trx, holder, 'card_issued')
    // The move of the money comes last, because other payments wait for the locks that it takes.
    if (loadMinor !== undefined)
      await load(deps, trx, { from: currentAccountId, to: accountId, amountMinor: loadMinor, name, bookedAt }, key)
    return { id: issuedCard.id }
  })
  return result.id
}

/**
 * Locks the customer, so that cards are created one after the other and not during a closing. Throws Refusal `sign_in_required`
 * if the customer has closed.
 */
async function lockHolder(trx: Transaction<Database>, customerId: string): Promise<void> {
  await lockOpenCustomer(trx, customerId)
}

/**
 * Throws Refusal `cards_full` if the customer has the maximum number of virtual cards. The lock makes two concurrent requests
 * count each other's card.
 */
async function checkNumber({ policy }: IssueDeps, trx: Transaction<Database>, customerId: string): Promise<void> {
  await lockHolder(trx, customerId)
  const { count } = await trx
    .selectFrom('bank.card')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .where('kind', '<>', 'main')
    .where('status', '<>', 'removed')
    .executeTakeFirstOrThrow()
  if (count >= policy.cards.virtualMost) throw new Refusal('cards_full')
}

type Load = { from: AccountId; to: AccountId; amountMinor: number; name: string; bookedAt: Date }

async function load(deps: IssueDeps, trx: Transaction<Database>, move: Load, key: RequestKey): Promise<void> {
  const { operationId: id, fingerprint } = key
  const [booked] = await deps.ledger.postWithin(runIn(trx), [cardMoveOperation({ id, fingerprint, ...move })])
  // The request is so old that its record was deleted, but the ledger still has its operation.
  if (booked?.replayed) throw new Refusal('idempotency_key_reused')
}

/**
 * Creates a main card, which spends from the current account, for a customer who has none. Renews an expired main card instead.
 * Returns the card's id. Throws Refusal `main_card_exists`.
 */
export async function issueMainCard(deps: IssueDeps, holder: CardOwner, key: RequestKey): Promise<string> {
  const { result } = await runOnce(deps, key, async (trx) => {
    const { id: customerId, currentAccountId: accountId } = holder.customer
    await lockHolder(trx, customerId)
    const main = await trx
      .selectFrom('bank.card')
      .select(['id', 'expires_on'])
      .where('customer_id', '=', customerId)
      .where('kind', '=', 'main')
      .where('status', '<>', 'removed')
      .executeTakeFirst()
    if (main && main.expires_on >= dayOf(deps.clock.businessNow())) throw new Refusal('main_card_exists')
    // An expired main card is renewed and keeps its number.
    if (main) {
      await renewCard(deps, trx, main.id)
      return { id: main.id }
    }
    const expiresOn = expiryFrom(deps.clock.businessNow())
    const card = { customerId, accountId, type: 'debit', kind: 'main', name: MAIN_NAME, expiresOn } as const
    const { id } = await issueCard({ ...deps, db: trx }, card)
    await recordChange(deps, trx, holder, 'card_issued')
    return { id }
  })
  return result.id
}
