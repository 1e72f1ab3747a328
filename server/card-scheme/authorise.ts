import { randomUUIDv7 } from 'node:crypto'
import type { PaymentMessage } from '#contract/card-scheme.ts'
import type { DeclineReason } from '#contract/decline-reasons.ts'
import type { Card } from '#server/cards/card.ts'
import { cvvOf } from '#server/cards/numbers.ts'
import type { CardChange } from '#server/card-scheme/changes.ts'
import type { Facts, Holder } from '#server/card-scheme/facts.ts'
import { guessesAfter, isLocked } from '#server/card-scheme/guesses.ts'
import {
  answeredAgain,
  type Answered,
  isSamePayment,
  paymentDigest,
  type Received,
} from '#server/card-scheme/messages.ts'
import { holdLeg, rowOf } from '#server/card-scheme/payment.ts'
import { expiryShown, isGuess, mostOf, reasonToDecline } from '#server/card-scheme/rules.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { Ended, LedgerRefusal, Operation, Outcome, Ride } from '#server/ledger/types.ts'
import { shopOf } from '#server/owed/debts.ts'
import type { NewNotice } from '#server/notifications/service.ts'
import type { Deps } from '#server/platform/deps.ts'

export type AuthoriseDeps = Pick<Deps, 'config' | 'policy' | 'clock'>

/** A question for the bank: may this card pay? */
export type Question = Received<PaymentMessage>

/** Decides a question that is new, with what was read once its card was locked: what is approved is held. */
export function authorise(deps: AuthoriseDeps, facts: Facts, question: Question): Ride<CardChange, Answered> {
  const repeated = answerBefore(deps, facts, question)
  if (repeated) return { end: () => repeated }
  const { message } = question
  const card = facts.cardsByNumber.get(message.card.number) ?? null
  const holder = (card && facts.holders.get(card.customerId)) ?? null
  const declined = reasonFor(deps, facts, message, card, holder)
  const row = { ...rowOf(deps, message, { card, at: facts.now }), id: randomUUIDv7() }
  const hold = { id: row.id, amountMinor: message.amountMinor }
  const end = (reason: DeclineReason | null) => {
    const answer = answerFor(message, reason)
    const kept = { received: question, answered: answer }
    return { answer, change: { kept, ...changeOf(deps, facts, { message, row, card, reason, hold }) } }
  }
  if (declined || !card || !holder) return { end: () => end(declined) }
  const operation = holdOperation(deps, message, { row, card, holder })
  return { operation, end: (outcome) => end(reasonIn(outcome)) }
}

/** What a question is answered that was decided before; null for a new one. */
export function answerBefore(
  deps: AuthoriseDeps,
  facts: Facts,
  question: Question,
): Ended<CardChange, Answered> | null {
  const { message } = question
  const known = facts.messages.get(message.messageId)
  if (known) return { answer: answeredAgain(question, known) }
  const payment = facts.payments.get(message.authorisationId)
  if (!payment) return null
  // The same payment once more, in another message.
  const isSame = isSamePayment(deps, message, payment.digest)
  // The scheme has approved what the bank declined.
  if (isSame && message.type === 'advise' && payment.status === 'declined') return null
  const answered = isSame ? answerFor(message, payment.reason as DeclineReason | null) : REUSED_PAYMENT
  return { answer: answered, change: { kept: { received: question, answered } } }
}

const REUSED_PAYMENT: Answered = { refused: { code: 'message_id_reused', field: 'authorisationId' } }

export function answerFor({ messageId, authorisationId }: PaymentMessage, reason: DeclineReason | null): Answered {
  const about = { messageId, authorisationId }
  return { answer: reason ? { ...about, outcome: 'declined', reason } : { ...about, outcome: 'approved' } }
}

/** Why the bank's rules or the card's decline a payment; the ledger says whether there is money for what they let through. */
function reasonFor(
  deps: AuthoriseDeps,
  facts: Facts,
  message: PaymentMessage,
  card: Card | null,
  holder: Holder | null,
): DeclineReason | null {
  const { policy } = deps
  return reasonToDecline(policy, message, {
    card,
    cvv: card ? cvvOf(deps, { number: message.card.number, expiresOn: expiryShown(card, message) }) : '',
    locked: isLocked(deps, card ? facts.guesses.get(card.id) : undefined),
    mayPay: policy.unverifiedLimits === null || holder?.verified === true,
    owedMinor: holder?.owedMinor ?? 0,
    shopLossMinor: facts.shopLosses.get(shopOf(message.merchant.name)) ?? 0,
    usedMinor: (card && facts.used.get(card.id)) ?? 0,
    now: facts.now,
  })
}

function holdOperation(
  { policy }: AuthoriseDeps,
  message: PaymentMessage,
  { row, card, holder }: { row: PaymentRow; card: Card; holder: Holder },
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

function reasonIn(outcome: Outcome | undefined): DeclineReason | null {
  if (outcome?.ok) return null
  const reason = outcome && REASONS[outcome.refusal]
  if (!reason) throw new Error(`The ledger cannot hold a card payment: ${outcome?.refusal ?? 'no answer'}`)
  return reason
}

/** A payment as it is written down, whatever is decided. */
type PaymentRow = ReturnType<typeof rowOf> & { id: string }

/** What is held of a payment that is approved. */
type Hold = { id: string; amountMinor: number }

type Decision = {
  message: PaymentMessage
  row: PaymentRow
  card: Card | null
  reason: DeclineReason | null
  hold: Hold
}

export function changeOf(deps: AuthoriseDeps, facts: Facts, decision: Decision): CardChange {
  const { message, row, card, reason, hold } = decision
  const { amountMinor } = message
  const authorised = { ...row, digest: paymentDigest(deps, message), reason }
  const notice = noticeOf(deps, decision)
  const told = notice ? { notice } : {}
  if (!card || reason) {
    const before = card ? facts.guesses.get(card.id) : undefined
    const counts = card && isGuess(reason) && !isLocked(deps, before)
    return {
      authorised: { ...authorised, status: 'declined', open_minor: 0, held_minor: 0, hold_id: null },
      ...told,
      ...(counts ? { guesses: guessesAfter(deps, card.id, before) } : {}),
    }
  }
  return {
    authorised: { ...authorised, status: 'held', open_minor: amountMinor, ...heldBy(hold) },
    use: { cardId: card.id, amountMinor, at: row.authorised_at },
    ...(card.kind === 'single_use' && !card.usedAt ? { usedCardId: card.id } : {}),
    ...told,
  }
}

export const heldBy = ({ id, amountMinor }: Hold) => ({
  held_minor: amountMinor,
  hold_id: amountMinor > 0 ? id : null,
})

/** What the customer is told at once: what they paid, or why they could not. */
function noticeOf(
  { policy }: Pick<AuthoriseDeps, 'policy'>,
  { message: { amountMinor, asset, merchant }, row, card, reason, hold }: Decision,
): NewNotice | null {
  // Told of the guesses that led to it, nobody needs to hear of each one after.
  if (!card || reason === 'online_locked') return null
  const params = { amountMinor, asset, name: merchant.name }
  const about = { customerId: card.customerId, createdAt: row.authorised_at }
  const isMost = reason === 'card_maximum' || reason === 'month_maximum'
  const most = isMost ? { mostMinor: mostOf(policy)[reason] } : {}
  return reason
    ? { ...about, kind: 'card_declined', params: { ...params, reason, cardId: card.id, ...most } }
    : {
        ...about,
        kind: 'card_payment',
        params: { ...params, ...(hold.amountMinor > 0 ? { transactionId: hold.id } : {}) },
      }
}
