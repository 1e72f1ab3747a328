import type { Transaction } from 'kysely'
import type { CardMessage, PaymentMessage } from '#contract/card-scheme.ts'
import type { Card } from '#server/cards/card.ts'
import { lockCardsOf, usedInMonthOf } from '#server/cards/use.ts'
import { guessesOf } from '#server/card-scheme/guesses.ts'
import { knownMessages } from '#server/card-scheme/messages.ts'
import {
  type AuthorisationRow,
  type FirstCapture,
  firstCapturesOf,
  paymentsBySchemeId,
} from '#server/card-scheme/payment.ts'
import type { AccountId } from '#server/ledger/types.ts'
import { owedOf, shopLosses, shopOf } from '#server/owed/debts.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { type RoundUps, roundUpsOf } from '#server/savings/round-ups.ts'

type Trx = Transaction<Database>

/** Whose card it is. `owedMinor` is what they owe the bank. */
export type Holder = { currentAccountId: AccountId; verified: boolean; closed: boolean; owedMinor: number }

/** All that decides a batch of messages. It is read after their cards are locked, because each change of a card or its payments locks the card first. */
export type Facts = {
  now: Date
  /** By the number that was shown, and by id. */
  cardsByNumber: ReadonlyMap<string, Card>
  cards: ReadonlyMap<string, Card>
  messages: Awaited<ReturnType<typeof knownMessages>>
  /** As the scheme calls them. */
  payments: ReadonlyMap<string, AuthorisationRow>
  /** What each card's month has come to. */
  used: ReadonlyMap<string, number>
  guesses: Awaited<ReturnType<typeof guessesOf>>
  holders: ReadonlyMap<string, Holder>
  /** What shops cost the bank, by shop. */
  shopLosses: ReadonlyMap<string, number>
  roundUps: ReadonlyMap<string, RoundUps>
  /** What was captured first of payments that a shop gives back. */
  firstCaptures: ReadonlyMap<string, FirstCapture>
}

type FactDeps = Pick<Deps, 'config' | 'policy' | 'clock'>

export const isPayment = (message: CardMessage): message is PaymentMessage =>
  message.type === 'authorise' || message.type === 'advise'

/** Locks the cards that messages are about, and then reads all that decides them. */
export async function readFacts(deps: FactDeps, trx: Trx, messages: readonly CardMessage[]): Promise<Facts> {
  const paid = messages.filter(isPayment)
  const schemeIds = messages.map(({ authorisationId }) => authorisationId)
  const locked = await lockCardsOf(deps, trx, { numbers: paid.map(({ card }) => card.number), schemeIds })
  const now = deps.clock.businessNow()
  const cardIds = locked.map(({ card }) => card.id)
  const customerIds = [...new Set(locked.map(({ card }) => card.customerId))]
  const hasCaptures = messages.some(({ type }) => type === 'capture')
  const refunded = messages.flatMap(({ type, authorisationId }) => (type === 'refund' ? [authorisationId] : []))
  const [known, payments, used, guesses, holders, losses, roundUps, firstCaptures] = await Promise.all([
    knownMessages(
      trx,
      messages.map(({ messageId }) => messageId),
    ),
    paymentsBySchemeId(trx, schemeIds),
    usedInMonthOf({ db: trx }, paid.length > 0 ? cardIds : [], now),
    guessesOf(trx, paid.length > 0 ? cardIds : []),
    holdersOf(trx, customerIds),
    shopLosses(
      deps,
      trx,
      paid.map(({ merchant }) => shopOf(merchant.name)),
    ),
    roundUpsOf(trx, hasCaptures ? customerIds : []),
    firstCapturesOf(trx, refunded),
  ])
  return {
    now,
    cardsByNumber: new Map(locked.flatMap(({ card, number }) => (number === null ? [] : [[number, card] as const]))),
    cards: new Map(locked.map(({ card }) => [card.id, card])),
    messages: known,
    payments,
    used,
    guesses,
    holders,
    shopLosses: losses,
    roundUps,
    firstCaptures,
  }
}

async function holdersOf(trx: Trx, customerIds: string[]): Promise<ReadonlyMap<string, Holder>> {
  if (customerIds.length === 0) return new Map()
  const [rows, owed] = await Promise.all([
    trx
      .selectFrom('bank.customer')
      .select(['id', 'current_account_id', 'verified_at', 'closed_at'])
      .where('id', 'in', customerIds)
      .execute(),
    owedOf(trx, customerIds),
  ])
  return new Map(
    rows.map((row) => [
      row.id,
      {
        currentAccountId: row.current_account_id,
        verified: row.verified_at !== null,
        closed: row.closed_at !== null,
        owedMinor: owed.get(row.id) ?? 0,
      },
    ]),
  )
}
