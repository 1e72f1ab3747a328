import { dayOf } from '#server/calendar/zone.ts'
import { expiryFrom, renewCard } from '#server/cards/renewal.ts'
import { lockOpenCustomer } from '#server/identity/customers/lock.ts'
import type { Transaction } from 'kysely'
import type { NewCardRequest } from '#contract/cards.ts'
import { Refusal } from '#contract/errors.ts'
import { type Holder, recordChange } from '#server/cards/manage.ts'
import { cardMoveOperation } from '#server/cards/moves.ts'
import { issueCard } from '#server/cards/service.ts'
import { openAccounts } from '#server/ledger/accounts.ts'
import type { AccountId } from '#server/ledger/types.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { once } from '#server/platform/once.ts'

/** What a main card is called until its holder has others. */
const MAIN_NAME = 'Main Card'

type IssueDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'events' | 'ledger' | 'policy'>

/**
 * Gives a customer a virtual card with an account of its own, and what they want on it from the current account. Answers
 * its id.
 * Throws Refusal `card_limit_too_high`, `cards_full` at the policy's number of virtual cards, and what the ledger refuses.
 */
export async function createVirtualCard(
  deps: IssueDeps,
  holder: Holder,
  card: NewCardRequest,
  key: RequestKey,
): Promise<string> {
  const { name, kind, limitMinor, loadMinor, look = null } = card
  const { cards: most } = deps.policy
  const [limit, mostMinor] =
    kind === 'single_use'
      ? (['paymentLimitMinor', most.paymentMinor] as const)
      : (['monthLimitMinor', most.monthMinor] as const)
  if (limitMinor > mostMinor) throw new Refusal('card_limit_too_high', 'limitMinor')
  const { result } = await once(deps, key, async (trx) => {
    const { id: customerId, currentAccountId } = holder.customer
    await checkNumber(deps, trx, customerId)
    const [accountId = 0] = await openAccounts(runIn(trx), [{ holderId: customerId, code: 'card', asset: 'USD' }])
    const bookedAt = deps.clock.businessNow()
    const issued = await issueCard(
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
    // Last, because other payments wait for these locks.
    if (loadMinor !== undefined)
      await load(deps, trx, { from: currentAccountId, to: accountId, amountMinor: loadMinor, name, bookedAt }, key)
    return { id: issued.id }
  })
  return result.id
}

/** Cards of one customer are made one after the other, and none for whoever closes at the same moment. Throws Refusal `sign_in_required`. */
async function lockHolder(trx: Transaction<Database>, customerId: string): Promise<void> {
  await lockOpenCustomer(trx, customerId)
}

/** Two cards that are made at once count each other. */
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
  // So long ago that the bank has forgotten the request, and not the money.
  if (booked?.replayed) throw new Refusal('idempotency_key_reused')
}

/**
 * Gives a customer who has none a main card, which spends from the current account. Answers its id.
 * Throws Refusal `main_card_exists`.
 */
export async function issueMainCard(deps: IssueDeps, holder: Holder, key: RequestKey): Promise<string> {
  const { result } = await once(deps, key, async (trx) => {
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
    // One that has ended is renewed: it keeps its number.
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
