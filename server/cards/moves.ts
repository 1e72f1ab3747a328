import type { CardMoveRequest } from '#contract/cards.ts'
import { Refusal } from '#contract/errors.ts'
import { lockOwnCard } from '#server/cards/manage.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { AccountId, Booked, Detail, Operation } from '#server/ledger/types.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'

export type CardMove = Pick<Operation, 'id' | 'derivedFrom' | 'fingerprint' | 'bookedAt'> & {
  from: AccountId
  to: AccountId
  amountMinor: number
  /** The card's: what the line of the current account says. */
  name: string
}

/** How a move between the current account and a virtual card reads, by the card's name. */
export const cardMoveDetail = ({ name }: { name: string }): Detail => ({
  debitName: name,
  creditName: name,
  category: 'card',
  method: 'own_accounts',
})

/** The operation that moves money between a customer's current account and a virtual card, either way. */
export function cardMoveOperation({ from, to, amountMinor, name, ...operation }: CardMove): Operation {
  const detail = cardMoveDetail({ name })
  return {
    ...operation,
    kind: 'card.load',
    legs: [{ kind: 'transfer', debit: from, credit: to, amountMinor, detail }],
  }
}

/**
 * Moves money to a virtual card from the current account, or back, at once. `amountMinor` is US cents.
 * Throws Refusal `not_found`, `card_removed`, `card_used` for more money to a card that has made its one payment, and
 * what the ledger refuses.
 */
export async function moveCardMoney(
  deps: Pick<Deps, 'ledger' | 'clock'>,
  customer: Pick<Customer, 'id' | 'currentAccountId'>,
  { cardId, direction, amountMinor }: Omit<CardMoveRequest, 'asset'> & { cardId: string },
  { operationId: id, fingerprint }: RequestKey,
): Promise<Booked> {
  return deps.ledger.postWithRows({
    customerId: customer.id,
    async operation(trx) {
      const card = await lockOwnCard(trx, customer.id, cardId)
      if (card.kind === 'main') throw new Refusal('not_found')
      if (direction === 'to_card' && card.usedAt) throw new Refusal('card_used')
      const [current, own] = [customer.currentAccountId, card.accountId]
      const accounts = direction === 'to_card' ? { from: current, to: own } : { from: own, to: current }
      const bookedAt = deps.clock.businessNow()
      return cardMoveOperation({ id, fingerprint, ...accounts, amountMinor, name: card.name, bookedAt })
    },
  })
}
