import { randomUUIDv7 } from 'node:crypto'
import type { PaymentMessage } from '#contract/card-scheme.ts'
import type { DeclineReason } from '#contract/decline-reasons.ts'
import type { CardRecord } from '#server/cards/card.ts'
import { cvvOf } from '#server/cards/numbers.ts'
import type { CardChange } from '#server/card-scheme/row-changes.ts'
import type { DecisionContext, CardHolder } from '#server/card-scheme/decision-context.ts'
import { guessesAfter, isCardLocked } from '#server/card-scheme/wrong-guesses.ts'
import {
  repeatedAnswer,
  type MessageAnswer,
  isSamePayment,
  paymentDigest,
  type ReceivedMessage,
} from '#server/card-scheme/messages.ts'
import { holdLeg, paymentColumns } from '#server/card-scheme/payment.ts'
import { expectedExpiry, isGuess, mostOf, reasonToDecline } from '#server/card-scheme/authorization-rules.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { RequestResult, LedgerRefusal, Operation, PostingOutcome, RequestDecision } from '#server/ledger/types.ts'
import { shopOf } from '#server/owed/debts.ts'
import type { NewNotice } from '#server/notifications/service.ts'
import type { Deps } from '#server/platform/deps.ts'

export type AuthorizeDeps = Pick<Deps, 'config' | 'policy' | 'clock'>

/** An authorization request: may this card pay? */
export type AuthorizationMessage = ReceivedMessage<PaymentMessage>

/** Decides a new authorization request from the facts read after its card was locked. An approved amount is held. */
export function authorize(
  deps: AuthorizeDeps,
  facts: DecisionContext,
  question: AuthorizationMessage,
): RequestDecision<CardChange, MessageAnswer> {
  const repeated = earlierAnswer(deps, facts, question)
  if (repeated) return { end: () => repeated }
  const { message } = question
  const card = facts.cardsByNumber.get(message.card.number) ?? null
  const holder = (card && facts.holders.get(card.customerId)) ?? null
  const declineReason = reasonFor(deps, facts, message, card, holder)
  const row = { ...paymentColumns(deps, message, { card, at: facts.now }), id: randomUUIDv7() }
  const hold = { id: row.id, amountMinor: message.amountMinor }
  const end = (reason: DeclineReason | null) => {
    const answer = authorizationAnswer(message, reason)
    const answeredMessage = { received: question, answered: answer }
    return { answer, change: { answeredMessage, ...changeOf(deps, facts, { message, row, card, reason, hold }) } }
  }
  if (declineReason || !card || !holder) return { end: () => end(declineReason) }
  const operation = holdOperation(deps, message, { row, card, holder })
  return { operation, end: (outcome) => end(reasonIn(outcome)) }
}

/** Returns the answer to a message that was answered before, or whose payment was decided before; null for a new payment. */
export function earlierAnswer(
  deps: AuthorizeDeps,
  facts: DecisionContext,
  question: AuthorizationMessage,
): RequestResult<CardChange, MessageAnswer> | null {
  const { message } = question
  const storedAnswer = facts.messages.get(message.messageId)
  if (storedAnswer) return { answer: repeatedAnswer(question, storedAnswer) }
  const payment = facts.payments.get(message.authorisationId)
  if (!payment) return null
  // The same payment may come again in another message.
  const isSame = isSamePayment(deps, message, payment.digest)
  // The scheme has approved a payment that the bank declined, so the advice needs a decision of its own.
  if (isSame && message.type === 'advise' && payment.status === 'declined') return null
  const answer = isSame ? authorizationAnswer(message, payment.reason as DeclineReason | null) : REUSED_PAYMENT
  return { answer, change: { answeredMessage: { received: question, answered: answer } } }
}

const REUSED_PAYMENT: MessageAnswer = { refused: { code: 'message_id_reused', field: 'authorisationId' } }

export function authorizationAnswer(
  { messageId, authorisationId }: PaymentMessage,
  reason: DeclineReason | null,
): MessageAnswer {
  const about = { messageId, authorisationId }
  return { answer: reason ? { ...about, outcome: 'declined', reason } : { ...about, outcome: 'approved' } }
}

/**
 * Returns the bank's or the card's reason to decline a payment. If there is no such reason, the ledger decides whether there is
 * enough money.
 */
function reasonFor(
  deps: AuthorizeDeps,
  facts: DecisionContext,
  message: PaymentMessage,
  card: CardRecord | null,
  holder: CardHolder | null,
): DeclineReason | null {
  const { policy } = deps
  return reasonToDecline(policy, message, {
    card,
    cvv: card ? cvvOf(deps, { number: message.card.number, expiresOn: expectedExpiry(card, message) }) : '',
    locked: isCardLocked(deps, card ? facts.guesses.get(card.id) : undefined),
    mayPay: policy.unverifiedLimits === null || holder?.verified === true,
    owedMinor: holder?.owedMinor ?? 0,
    shopLossMinor: facts.shopLosses.get(shopOf(message.merchant.name)) ?? 0,
    usedMinor: (card && facts.used.get(card.id)) ?? 0,
    now: facts.now,
  })
}

function holdOperation(
  { policy }: AuthorizeDeps,
  message: PaymentMessage,
  { row, card, holder }: { row: PaymentRow; card: CardRecord; holder: CardHolder },
): Operation {
  return {
    id: row.id,
    kind: 'card.authorise',
    fingerprint: fingerprintOf('card.authorise', message.authorisationId),
    bookedAt: row.authorised_at,
    legs: [
      {
        ...holdLeg(card, row, message.amountMinor),
        dayLimit: { accountId: holder.currentAccountId, direction: 'out', mostMinor: policy.limits.out.dayMinor },
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

function reasonIn(outcome: PostingOutcome | undefined): DeclineReason | null {
  if (outcome?.ok) return null
  const reason = outcome && REASONS[outcome.refusal]
  if (!reason) throw new Error(`The ledger cannot hold a card payment: ${outcome?.refusal ?? 'no answer'}`)
  return reason
}

/** A payment as it is stored, whatever the decision. */
type PaymentRow = ReturnType<typeof paymentColumns> & { id: string }

/** The hold of an approved payment. */
type Hold = { id: string; amountMinor: number }

type Decision = {
  message: PaymentMessage
  row: PaymentRow
  card: CardRecord | null
  reason: DeclineReason | null
  hold: Hold
}

export function changeOf(deps: AuthorizeDeps, facts: DecisionContext, decision: Decision): CardChange {
  const { message, row, card, reason, hold } = decision
  const { amountMinor } = message
  const authorised = { ...row, digest: paymentDigest(deps, message), reason }
  const notice = noticeOf(deps, decision)
  const noticeFields = notice ? { notice } : {}
  if (!card || reason) {
    const before = card ? facts.guesses.get(card.id) : undefined
    const counts = card && isGuess(reason) && !isCardLocked(deps, before)
    return {
      authorised: { ...authorised, status: 'declined', open_minor: 0, held_minor: 0, hold_id: null },
      ...noticeFields,
      ...(counts ? { guesses: guessesAfter(deps, card.id, before) } : {}),
    }
  }
  return {
    authorised: { ...authorised, status: 'held', open_minor: amountMinor, ...holdColumns(hold) },
    use: { cardId: card.id, amountMinor, at: row.authorised_at },
    ...(card.kind === 'single_use' && !card.usedAt ? { usedCardId: card.id } : {}),
    ...noticeFields,
  }
}

export const holdColumns = ({ id, amountMinor }: Hold) => ({
  held_minor: amountMinor,
  hold_id: amountMinor > 0 ? id : null,
})

/**
 * Returns the customer's notice that is sent at once: of the payment, or of the reason for its decline. Returns null if no
 * notice is sent.
 */
function noticeOf(
  { policy }: Pick<AuthorizeDeps, 'policy'>,
  { message: { amountMinor, asset, merchant }, row, card, reason, hold }: Decision,
): NewNotice | null {
  // The customer got a notice of each wrong guess, so further declines of the locked card send no notice.
  if (!card || reason === 'online_locked') return null
  const params = { amountMinor, asset, name: merchant.name }
  const about = { customerId: card.customerId, createdAt: row.authorised_at }
  const isMost = reason === 'card_maximum' || reason === 'month_maximum'
  const maximumParam = isMost ? { mostMinor: mostOf(policy)[reason] } : {}
  return reason
    ? { ...about, kind: 'card_declined', params: { ...params, reason, cardId: card.id, ...maximumParam } }
    : {
        ...about,
        kind: 'card_payment',
        params: { ...params, ...(hold.amountMinor > 0 ? { transactionId: hold.id } : {}) },
      }
}
