import type { CardMoveRequest } from '#contract/cards.ts'
import { Refusal } from '#contract/errors.ts'
import { lockOwnCard } from '#server/cards/own-card.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { AccountId, BookedOperation, Detail, Operation } from '#server/ledger/types.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'

export type CardMove = Pick<Operation, 'id' | 'derivedFrom' | 'fingerprint' | 'bookedAt'> & {
  from: AccountId
  to: AccountId
  amountMinor: number
  /** The name of the card, which the current account's statement shows. */
  name: string
}

/** Returns the description of a move between the current account and a virtual card. */
export const cardMoveDetail = ({ name }: { name: string }): Detail => ({
  debitName: name,
  creditName: name,
  category: 'card',
  method: 'own_accounts',
})

/** Returns the operation that moves money between a customer's current account and a virtual card, in either direction. */
export function cardMoveOperation({ from, to, amountMinor, name, ...operation }: CardMove): Operation {
  const detail = cardMoveDetail({ name })
  return {
    ...operation,
    kind: 'card.load',
    legs: [{ kind: 'transfer', debit: from, credit: to, amountMinor, detail }],
  }
}

/**
 * Moves money between the current account and a virtual card at once, in either direction. `amountMinor` is in US cents. Throws
 * Refusal `not_found`, `card_removed`, `card_used` if a single-use card that has paid would receive money, and the ledger's
 * refusals.
 */
export async function moveCardMoney(
  deps: Pick<Deps, 'ledger' | 'clock'>,
  customer: Pick<Customer, 'id' | 'currentAccountId'>,
  { cardId, direction, amountMinor }: Omit<CardMoveRequest, 'asset'> & { cardId: string },
  { operationId: id, fingerprint }: RequestKey,
): Promise<BookedOperation> {
  return deps.ledger.postWithRows({
    customerId: customer.id,
    async operation(trx) {
      const card = await lockOwnCard(trx, customer.id, cardId)
      if (card.kind === 'main') throw new Refusal('not_found')
      if (direction === 'to_card' && card.usedAt) throw new Refusal('card_used')
      const [current, cardAccount] = [customer.currentAccountId, card.accountId]
      const accounts = direction === 'to_card' ? { from: current, to: cardAccount } : { from: cardAccount, to: current }
      const bookedAt = deps.clock.businessNow()
      return cardMoveOperation({ id, fingerprint, ...accounts, amountMinor, name: card.name, bookedAt })
    },
  })
}
