import { randomUUIDv7 } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { PaymentMessage } from '#contract/card-scheme.ts'
import type { DeclineReason } from '#contract/decline-reasons.ts'
import type { Card } from '#server/cards/card.ts'
import { cvvOf } from '#server/cards/numbers.ts'
import { countUses, lockCardsByNumber, markUsed, usedInMonthOf } from '#server/cards/use.ts'
import { countGuess, guessesOf, isLocked } from '#server/card-scheme/guesses.ts'
import {
  answeredAgain,
  type Answered,
  keepMessages,
  knownMessages,
  paymentDigest,
  type Received,
} from '#server/card-scheme/messages.ts'
import { type AuthorisationRow, paymentDetail, paymentsBySchemeId, rowOf } from '#server/card-scheme/payment.ts'
import { expiryShown, isGuess, reasonToDecline } from '#server/card-scheme/rules.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, LedgerRefusal, Operation, Outcome } from '#server/ledger/types.ts'
import { owedOf, shopLosses, shopOf } from '#server/owed/debts.ts'
import type { NewNotice } from '#server/notifications/service.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

type Trx = Transaction<Database>
export type AuthoriseDeps = Pick<Deps, 'db' | 'config' | 'policy' | 'clock' | 'ledger' | 'alerts'>

/** A question for the bank: may this card pay? */
export type Question = Received<PaymentMessage>

type Holder = { currentAccountId: AccountId; verified: boolean; owedMinor: number }

/** What questions are decided by, read once their cards are locked. */
type Facts = {
  now: Date
  cards: ReadonlyMap<string, Card>
  messages: Awaited<ReturnType<typeof knownMessages>>
  payments: ReadonlyMap<string, AuthorisationRow>
  used: ReadonlyMap<string, number>
  guesses: Awaited<ReturnType<typeof guessesOf>>
  holders: ReadonlyMap<string, Holder>
  /** What shops cost the bank, by shop. */
  shopLosses: ReadonlyMap<string, number>
}

/** A question that is new, with what was decided so far. */
type Decision = {
  question: Question
  id: string
  card: Card | null
  reason: DeclineReason | null
  operation: Operation | null
}

/**
 * Decides questions, each of another card and under another name, in one SQL transaction: what is approved is held, counted
 * and written down together. The cards are locked first, so that each is decided by what it has paid by then, here and in
 * other servers.
 */
export async function decideQuestions(deps: AuthoriseDeps, questions: readonly Question[]): Promise<Answered[]> {
  const { answers, notices } = await inTransaction(deps.db, async (trx) => {
    const facts = await readFacts(deps, trx, questions)
    const repeated = questions.map((question) => answerBefore(deps, facts, question))
    const fresh = questions
      .filter((_, index) => repeated[index] === null)
      .map((question) => decide(deps, facts, question))
    await holdMoney(deps, trx, fresh)
    // Quick from here on: the ledger has locked accounts.
    await writeDown(deps, trx, facts, fresh)
    const decided = new Map(fresh.map((one) => [one.question, answerOf(one)]))
    const answered = questions.map((question, index) => repeated[index] ?? (decided.get(question) as Answered))
    const unknown = questions.flatMap((received, index) =>
      facts.messages.has(received.message.messageId) ? [] : [{ received, answered: answered[index] as Answered }],
    )
    await keepMessages(deps, trx, unknown)
    return { answers: answered, notices: fresh.flatMap((one) => noticeOf(facts, one)) }
  })
  for (const notice of notices) deps.alerts.add(notice)
  return answers
}

export async function readFacts(deps: AuthoriseDeps, trx: Trx, questions: readonly Question[]): Promise<Facts> {
  const asked = questions.map(({ message }) => message)
  const cards = await lockCardsByNumber(
    deps,
    trx,
    asked.map(({ card }) => card.number),
  )
  const now = deps.clock.businessNow()
  const known = [...cards.values()]
  const cardIds = known.map(({ id }) => id)
  const [messages, payments, used, guesses, holders, losses] = await Promise.all([
    knownMessages(
      trx,
      asked.map(({ messageId }) => messageId),
    ),
    paymentsBySchemeId(
      trx,
      asked.map(({ authorisationId }) => authorisationId),
    ),
    usedInMonthOf({ db: trx }, cardIds, now),
    guessesOf(trx, cardIds),
    holdersOf(
      trx,
      known.map(({ customerId }) => customerId),
    ),
    shopLosses(
      deps,
      trx,
      asked.map(({ merchant }) => shopOf(merchant.name)),
    ),
  ])
  return { now, cards, messages, payments, used, guesses, holders, shopLosses: losses }
}

async function holdersOf(trx: Trx, customerIds: string[]): Promise<ReadonlyMap<string, Holder>> {
  if (customerIds.length === 0) return new Map()
  const [rows, owed] = await Promise.all([
    trx
      .selectFrom('bank.customer')
      .select(['id', 'current_account_id', 'verified_at'])
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
        owedMinor: owed.get(row.id) ?? 0,
      },
    ]),
  )
}

/** What a question is answered that was decided before; null for a new one. */
function answerBefore(deps: AuthoriseDeps, facts: Facts, question: Question): Answered | null {
  const { message } = question
  const known = facts.messages.get(message.messageId)
  if (known) return answeredAgain(question, known)
  const payment = facts.payments.get(message.authorisationId)
  if (!payment) return null
  // The same payment once more, in another message.
  if (!payment.digest.equals(paymentDigest(deps, message))) return REUSED_PAYMENT
  return answerFor(message, payment.reason as DeclineReason | null)
}

export const REUSED_PAYMENT: Answered = { refused: { code: 'message_id_reused', field: 'authorisationId' } }

export function answerFor({ messageId, authorisationId }: PaymentMessage, reason: DeclineReason | null): Answered {
  const about = { messageId, authorisationId }
  return { answer: reason ? { ...about, outcome: 'declined', reason } : { ...about, outcome: 'approved' } }
}

const answerOf = ({ question, reason }: Decision): Answered => answerFor(question.message, reason)

/** Decides by the bank's rules and the card's; the ledger says whether there is money for what they let through. */
function decide(deps: AuthoriseDeps, facts: Facts, question: Question): Decision {
  const { message } = question
  const { policy } = deps
  const card = facts.cards.get(message.card.number) ?? null
  const holder = card && facts.holders.get(card.customerId)
  const reason = reasonToDecline(policy, message, {
    card,
    cvv: card ? cvvOf(deps, { number: message.card.number, expiresOn: expiryShown(card, message) }) : '',
    locked: isLocked(deps, card ? facts.guesses.get(card.id) : undefined),
    mayPay: policy.unverifiedLimits === null || holder?.verified === true,
    owedMinor: holder?.owedMinor ?? 0,
    shopLossMinor: facts.shopLosses.get(shopOf(message.merchant.name)) ?? 0,
    usedMinor: (card && facts.used.get(card.id)) ?? 0,
    now: facts.now,
  })
  const decision: Decision = { question, id: randomUUIDv7(), card, reason, operation: null }
  if (reason || !card || !holder) return decision
  return { ...decision, operation: holdOperation(deps, decision, { card, holder, now: facts.now }) }
}

function holdOperation(
  { policy }: AuthoriseDeps,
  { id, question: { message } }: Decision,
  { card, holder, now }: { card: Card; holder: Holder; now: Date },
): Operation {
  const { merchant, mcc, expires_at: expiresAt } = rowOf({ policy }, message, { card, at: now })
  return {
    id,
    kind: 'card.authorise',
    fingerprint: fingerprintOf('card.authorise', message.authorisationId),
    bookedAt: now,
    legs: [
      {
        kind: 'hold',
        debit: card.accountId,
        credit: bankAccount('card_scheme'),
        amountMinor: message.amountMinor,
        detail: paymentDetail(card, { merchant, mcc }),
        dayLimit: { accountId: holder.currentAccountId, direction: 'out', mostMinor: policy.limits.out.dayMinor },
        expiresAt,
      },
    ],
  }
}

const REASONS: Partial<Record<LedgerRefusal, DeclineReason>> = {
  insufficient_funds: 'insufficient_funds',
  day_limit_reached: 'day_limit',
  account_frozen: 'card_frozen',
  account_closed: 'card_removed',
}

function reasonIn(outcome: Outcome | undefined): DeclineReason | null {
  if (outcome?.ok) return null
  const reason = outcome && REASONS[outcome.refusal]
  if (!reason) throw new Error(`The ledger cannot hold a card payment: ${outcome?.refusal ?? 'no answer'}`)
  return reason
}

/** Has the ledger decide what the rules let through. */
async function holdMoney({ ledger }: AuthoriseDeps, trx: Trx, decisions: Decision[]): Promise<void> {
  const held = decisions.filter(({ operation }) => operation !== null)
  if (held.length === 0) return
  const outcomes = await ledger.postAllWithin(
    runIn(trx),
    held.flatMap(({ operation }) => operation ?? []),
  )
  for (const [index, one] of held.entries()) one.reason = reasonIn(outcomes[index])
}

async function writeDown(deps: AuthoriseDeps, trx: Trx, facts: Facts, decisions: Decision[]): Promise<void> {
  if (decisions.length === 0) return
  await trx
    .insertInto('bank.card_authorisation')
    .values(
      decisions.map(({ question: { message }, id, card, reason }) => ({
        ...rowOf(deps, message, { card, at: facts.now }),
        id,
        digest: paymentDigest(deps, message),
        reason,
        ...(reason
          ? { status: 'declined' as const }
          : {
              status: 'held' as const,
              open_minor: message.amountMinor,
              held_minor: message.amountMinor,
              hold_id: id,
            }),
      })),
    )
    .execute()
  const uses = decisions.flatMap(({ card, reason, question }) =>
    card && !reason ? [{ cardId: card.id, amountMinor: question.message.amountMinor }] : [],
  )
  await countUses(trx, uses, facts.now)
  for (const { card, reason } of decisions) {
    const guesses = card && facts.guesses.get(card.id)
    if (card && isGuess(reason) && !isLocked(deps, guesses ?? undefined))
      await countGuess(deps, trx, card.id, guesses ?? undefined)
    if (card?.kind === 'single_use' && !reason) await markUsed(trx, card.id, facts.now)
  }
}

/** What the customer is told at once: what they paid, or why they could not. */
function noticeOf({ now }: Facts, { question: { message }, id, card, reason }: Decision): NewNotice[] {
  // Told of the guesses that led to it, nobody needs to hear of each one after.
  if (!card || reason === 'online_locked') return []
  const { amountMinor, asset, merchant } = message
  const params = { amountMinor, asset, name: merchant.name }
  const about = { customerId: card.customerId, createdAt: now }
  return [
    reason
      ? { ...about, kind: 'card_declined', params: { ...params, reason } }
      : { ...about, kind: 'card_payment', params: { ...params, transactionId: id } },
  ]
}
