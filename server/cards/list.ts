import type { Card as ListedCard, CardList } from '#contract/cards.ts'
import { type CardRecord, cardsOf } from '#server/cards/card.ts'
import { readCashbackThisMonth } from '#server/cards/cashback.ts'
import { limitsOf } from '#server/cards/limits.ts'
import { hasPastCards } from '#server/cards/removed-cards.ts'
import { readMonthUsageOf } from '#server/cards/card-usage.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { type Account, accountsById } from '#server/ledger/accounts.ts'
import { debtsOf } from '#server/owed/debts.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Policy } from '#server/bank/policy.ts'

/** Returns a customer's cards with the balance and this month's use of each, and the cashback earned. */
export async function listCards(
  deps: Pick<Deps, 'db' | 'clock' | 'policy'>,
  customer: Pick<Customer, 'id' | 'fullName'>,
): Promise<CardList> {
  const [cards, hasPast, thisMonthMinor, owed] = await Promise.all([
    cardsOf(deps, customer.id),
    hasPastCards(deps, customer.id),
    readCashbackThisMonth(deps, customer.id),
    debtsOf(deps.db, customer.id),
  ])
  const [accounts, used] = await Promise.all([
    accountsById(
      runIn(deps.db),
      cards.map(({ accountId }) => accountId),
    ),
    readMonthUsageOf(
      deps,
      cards.map(({ id }) => id),
      deps.clock.businessNow(),
    ),
  ])
  const byId = new Map(accounts.map((account) => [account.id, account]))
  const { paymentMinor, monthMinor, virtualMost } = deps.policy.cards
  return {
    cards: cards.flatMap((card) => {
      const account = byId.get(card.accountId)
      if (!account || card.status === 'removed') return []
      const usedThisMonthMinor = used.get(card.id) ?? 0
      return [
        listed(deps, { ...card, status: card.status }, { holderName: customer.fullName, account, usedThisMonthMinor }),
      ]
    }),
    hasPast,
    owed,
    cashback: { thisMonthMinor, asset: 'USD' },
    most: { paymentMinor, monthMinor, virtualCards: virtualMost },
  }
}

type CardDetails = { holderName: string; account: Account; usedThisMonthMinor: number }

function listed(
  { policy }: { policy: Policy },
  card: CardRecord & { status: ListedCard['status'] },
  { holderName, account, usedThisMonthMinor }: CardDetails,
): ListedCard {
  const { id, kind, status, name, look, lastFour, expiresOn, online, contactless, abroad, usedAt } = card
  const { paymentMinor, monthMinor } = limitsOf(policy, card)
  return {
    id,
    kind,
    status,
    name,
    look,
    holderName,
    lastFour,
    expiresOn,
    online,
    contactless,
    abroad,
    asset: account.asset,
    balanceMinor: account.balanceMinor,
    availableMinor: account.availableMinor,
    paymentLimitMinor: paymentMinor,
    monthLimitMinor: monthMinor,
    usedThisMonthMinor,
    used: usedAt !== null,
  }
}
