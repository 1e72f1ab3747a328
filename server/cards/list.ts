import type { Card as ListedCard, CardList } from '#contract/cards.ts'
import { type Card, cardsOf } from '#server/cards/card.ts'
import { earnedThisMonth } from '#server/cards/cashback.ts'
import { limitsOf } from '#server/cards/limits.ts'
import { hasPastCards } from '#server/cards/past.ts'
import { usedInMonthOf } from '#server/cards/use.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { type Account, accountsById } from '#server/ledger/accounts.ts'
import { debtsOf } from '#server/owed/debts.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Policy } from '#server/bank/policy.ts'

/** A customer's cards with what each has and has used this month, and what they have earned. */
export async function listCards(
  deps: Pick<Deps, 'db' | 'clock' | 'policy'>,
  customer: Pick<Customer, 'id' | 'fullName'>,
): Promise<CardList> {
  const [cards, hasPast, thisMonthMinor, owed] = await Promise.all([
    cardsOf(deps, customer.id),
    hasPastCards(deps, customer.id),
    earnedThisMonth(deps, customer.id),
    debtsOf(deps.db, customer.id),
  ])
  const [accounts, used] = await Promise.all([
    accountsById(
      runIn(deps.db),
      cards.map(({ accountId }) => accountId),
    ),
    usedInMonthOf(
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

type Shown = { holderName: string; account: Account; usedThisMonthMinor: number }

function listed(
  { policy }: { policy: Policy },
  card: Card & { status: ListedCard['status'] },
  { holderName, account, usedThisMonthMinor }: Shown,
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
