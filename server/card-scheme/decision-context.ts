import type { Transaction } from 'kysely'
import type { CardMessage, PaymentMessage } from '#contract/card-scheme.ts'
import type { CardRecord } from '#server/cards/card.ts'
import { lockCardsOf, readMonthUsageOf } from '#server/cards/card-usage.ts'
import { guessesOf } from '#server/card-scheme/wrong-guesses.ts'
import { findStoredAnswers } from '#server/card-scheme/messages.ts'
import {
  type AuthorizationRow,
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

/** The facts about a card's holder. `owedMinor` is the holder's debt to the bank, in US cents. */
export type CardHolder = { currentAccountId: AccountId; verified: boolean; closed: boolean; owedMinor: number }

/**
 * All facts from which a batch of messages is decided. They are read after the cards are locked, because each change of a card
 * or its payments locks the card first.
 */
export type DecisionContext = {
  now: Date
  /** Cards by the number in the message, and by id. */
  cardsByNumber: ReadonlyMap<string, CardRecord>
  cards: ReadonlyMap<string, CardRecord>
  messages: Awaited<ReturnType<typeof findStoredAnswers>>
  /** Payments by the scheme's id. */
  payments: ReadonlyMap<string, AuthorizationRow>
  /** The sum of each card's payments in this calendar month, in US cents, by the card's id. */
  used: ReadonlyMap<string, number>
  guesses: Awaited<ReturnType<typeof guessesOf>>
  holders: ReadonlyMap<string, CardHolder>
  /** The bank's losses at each shop, in US cents, by the shop's normalized name. */
  shopLosses: ReadonlyMap<string, number>
  roundUps: ReadonlyMap<string, RoundUps>
  /** The first captures of the payments that the batch refunds, by the payment's id. */
  firstCaptures: ReadonlyMap<string, FirstCapture>
}

type FactDeps = Pick<Deps, 'config' | 'policy' | 'clock'>

export const isPayment = (message: CardMessage): message is PaymentMessage =>
  message.type === 'authorise' || message.type === 'advise'

/** Locks the cards of the messages, and then reads all facts that decide them. */
export async function readDecisionContext(
  deps: FactDeps,
  trx: Trx,
  messages: readonly CardMessage[],
): Promise<DecisionContext> {
  const paymentMessages = messages.filter(isPayment)
  const schemeIds = messages.map(({ authorisationId }) => authorisationId)
  const lockedCards = await lockCardsOf(deps, trx, {
    numbers: paymentMessages.map(({ card }) => card.number),
    schemeIds,
  })
  const now = deps.clock.businessNow()
  const cardIds = lockedCards.map(({ card }) => card.id)
  const customerIds = [...new Set(lockedCards.map(({ card }) => card.customerId))]
  const hasCaptures = messages.some(({ type }) => type === 'capture')
  const refundedIds = messages.flatMap(({ type, authorisationId }) => (type === 'refund' ? [authorisationId] : []))
  const [storedAnswers, payments, used, guesses, holders, losses, roundUps, firstCaptures] = await Promise.all([
    findStoredAnswers(
      trx,
      messages.map(({ messageId }) => messageId),
    ),
    paymentsBySchemeId(trx, schemeIds),
    readMonthUsageOf({ db: trx }, paymentMessages.length > 0 ? cardIds : [], now),
    guessesOf(trx, paymentMessages.length > 0 ? cardIds : []),
    holdersOf(trx, customerIds),
    shopLosses(
      deps,
      trx,
      paymentMessages.map(({ merchant }) => shopOf(merchant.name)),
    ),
    roundUpsOf(trx, hasCaptures ? customerIds : []),
    firstCapturesOf(trx, refundedIds),
  ])
  return {
    now,
    cardsByNumber: new Map(
      lockedCards.flatMap(({ card, number }) => (number === null ? [] : [[number, card] as const])),
    ),
    cards: new Map(lockedCards.map(({ card }) => [card.id, card])),
    messages: storedAnswers,
    payments,
    used,
    guesses,
    holders,
    shopLosses: losses,
    roundUps,
    firstCaptures,
  }
}

async function holdersOf(trx: Trx, customerIds: string[]): Promise<ReadonlyMap<string, CardHolder>> {
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
