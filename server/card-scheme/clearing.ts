import type { Transaction } from 'kysely'
import type { ClearingMessage } from '#contract/card-scheme.ts'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { cashbackTakenBack } from '#server/cards/cashback.ts'
import {
  bookAlone,
  captureNames,
  holdLeft,
  legsWithinHold,
  operationOf,
  refundNotice,
} from '#server/card-scheme/booking.ts'
import {
  type CardChange,
  changesCommitted,
  changesWritten,
  type PaymentChange,
  stateOf,
} from '#server/card-scheme/changes.ts'
import { type Facts, readFacts } from '#server/card-scheme/facts.ts'
import { tipAllowance } from '#server/card-scheme/merchant-codes.ts'
import { answeredAgain, type Answered, messagesKept, type Received } from '#server/card-scheme/messages.ts'
import { type Clearing, type FirstCapture, firstCapturesOf } from '#server/card-scheme/payment.ts'
import { pointsCauseOf } from '#server/card-scheme/points.ts'
import type { Ride } from '#server/ledger/types.ts'
import type { OwedDeps } from '#server/owed/taking.ts'
import { inTransaction, isUniqueViolation, runAll } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Statement } from '#server/platform/db/statement.ts'
import type { Deps } from '#server/platform/deps.ts'
import { pointsTakenBack } from '#server/rewards/refunds.ts'
import { roundedUp } from '#server/savings/round-ups.ts'

type Trx = Transaction<Database>
type Told = Received<ClearingMessage>
export type ClearingDeps = OwedDeps & Pick<Deps, 'db' | 'config' | 'alerts' | 'paymentPoints'>

/** What cannot be decided without all that the customer has: `clearAlone` does it. */
export const ALONE = Symbol('alone')

/** Refusals that are decisions about a payment: the same message is refused again whatever became of it since. */
const DECISIONS: ReadonlySet<ErrorCode> = new Set(['hold_not_open', 'hold_amount_exceeded', 'refund_too_large'])

/**
 * Decides what a shop makes of a payment that was approved, by what was read once its card was locked. Throws Refusal
 * `not_found` for a payment that the bank never approved. Once nothing is left to capture or release (`hold_not_open`), and for
 * more than there is (`hold_amount_exceeded`, `refund_too_large`), the answer is that refusal.
 */
export function clear(facts: Facts, told: Told): Ride<CardChange, Answered | typeof ALONE> {
  return refusedAsAnswer<Answered | typeof ALONE>(told, () => {
    const known = facts.messages.get(told.message.messageId)
    if (known) return { end: () => ({ answer: answeredAgain(told, known) }) }
    const clearing = clearingOf(facts, told)
    const change = changeOf(facts, clearing, told.message)
    const holder = facts.holders.get(clearing.card.customerId)
    const owes = (holder?.owedMinor ?? 0) > 0 || (facts.debts.get(clearing.payment.id) ?? 0) > 0
    const legs = holder?.closed || owes ? null : legsWithinHold(clearing, told.message, change.payment.held_minor)
    if (legs === null) return { end: () => ({ answer: ALONE }) }
    const done = { answer: doneOf(told), change: keeping(told, change) }
    if (legs.length === 0) return { end: () => done }
    return {
      operation: operationOf(clearing, told.message.type, legs),
      end: (outcome) => {
        // Such as an account that was closed at this moment.
        if (!outcome?.ok) return { answer: ALONE }
        // So long ago that the message is forgotten, and not the money.
        return outcome.booked.replayed ? { ...done, change: keeping(told, {}) } : done
      },
    }
  })
}

/**
 * Does the same in a SQL transaction of its own, with all that the customer has: where the hold does not suffice, and where
 * they owe the bank something or have closed. Throws the refusals that are no answers.
 */
export async function clearAlone(deps: ClearingDeps, told: Told): Promise<Answered> {
  try {
    const { answered, changes } = await inTransaction(deps.db, async (trx) => {
      const facts = await readFacts(deps, trx, [told.message])
      const known = facts.messages.get(told.message.messageId)
      if (known) return { answered: answeredAgain(told, known), changes: [] }
      const clearing = clearingOf(facts, told)
      const decided = changeOf(facts, clearing, told.message)
      const booked = await bookAlone(deps, trx, { clearing, message: told.message, change: decided })
      const made = [keeping(told, booked)]
      await runAll(trx, changesWritten(deps, made))
      return { answered: doneOf(told), changes: made }
    })
    changesCommitted(deps, changes)
    return answered
  } catch (error) {
    const answered = answerOfRefusal(error)
    if (!answered) throw error
    await runAll(deps.db, messagesKept(deps, [{ received: told, answered }])).catch((reason: unknown) => {
      if (!isUniqueViolation(reason)) throw reason
    })
    return answered
  }
}

const keeping = (received: Told, change: CardChange): CardChange => ({
  ...change,
  kept: { received, answered: doneOf(received) },
})

const doneOf = ({ message: { messageId, authorisationId } }: Told): Answered => ({
  answer: { messageId, authorisationId, outcome: 'done' },
})

/** The answer that tells the scheme of a refusal; null for an error that is no decision about the payment. */
function answerOfRefusal(error: unknown): Answered | null {
  if (!(error instanceof Refusal) || !DECISIONS.has(error.code)) return null
  const { code, field } = error
  return { refused: { code, ...(field ? { field } : {}) } }
}

/** The same ride, with what it refuses of a payment as an answer that is kept. */
function refusedAsAnswer<Answer>(
  received: Told,
  decide: () => Ride<CardChange, Answer>,
): Ride<CardChange, Answer | Answered> {
  const orAnswer = <Result>(work: () => Result) => {
    try {
      return work()
    } catch (error) {
      const answered = answerOfRefusal(error)
      if (!answered) throw error
      return { answer: answered, change: { kept: { received, answered } } }
    }
  }
  const ride = orAnswer(decide)
  if ('answer' in ride) return { end: () => ride }
  return { ...ride, end: (outcome) => orAnswer(() => ride.end(outcome)) }
}

function clearingOf(facts: Facts, { message }: Told): Clearing {
  const payment = facts.payments.get(message.authorisationId)
  const card = payment?.card_id ? facts.cards.get(payment.card_id) : undefined
  if (!payment || payment.status === 'declined' || !card) throw new Refusal('not_found', 'authorisationId')
  return { payment, card, messageId: message.messageId, now: facts.now }
}

/** What a message changes of a payment where its hold suffices and nobody owes anything. */
function changeOf(facts: Facts, clearing: Clearing, message: ClearingMessage): PaymentChange {
  switch (message.type) {
    case 'capture':
      return captured(facts, clearing, message)
    case 'reverse':
      return reversed(clearing, message.amountMinor)
    case 'expire':
      return released(clearing, { minor: clearing.payment.open_minor, status: 'expired' })
    case 'refund':
      return refunded(facts, clearing, message.amountMinor)
  }
}

/** The shop takes what was authorised, a part of it or, where guests tip, somewhat more. */
function captured(
  facts: Facts,
  clearing: Clearing,
  { amountMinor, final }: { amountMinor: number; final: boolean },
): PaymentChange {
  const { payment, card, now } = clearing
  if (payment.status !== 'held') throw new Refusal('hold_not_open')
  const { open_minor: openMinor, held_minor: heldMinor, captured_minor: before } = payment
  if (amountMinor > openMinor + tipAllowance(payment.mcc, before + openMinor))
    throw new Refusal('hold_amount_exceeded', 'amountMinor')
  const leftOpen = final ? 0 : Math.max(0, openMinor - amountMinor)
  const leftHeld = Math.min(leftOpen, Math.max(0, heldMinor - amountMinor))
  const { operationId, originId } = captureNames(clearing)
  const { customerId } = card
  const { asset } = payment
  const collects = facts.roundUps.get(customerId)
  return {
    payment: {
      ...stateOf(payment),
      status: leftOpen > 0 ? 'held' : 'captured',
      open_minor: leftOpen,
      held_minor: leftHeld,
      hold_id: leftHeld > 0 ? operationId : null,
      captured_minor: before + amountMinor,
    },
    captured: {
      operation_id: operationId,
      origin_id: originId,
      authorisation_id: payment.id,
      amount_minor: amountMinor,
      captured_at: now,
    },
    ...corrected(clearing, amountMinor + leftOpen - openMinor),
    // One payment earns once, in however many parts the shop takes it.
    ...(before === 0 ? { earns: pointsCauseOf(payment, { operationId, customerId, amountMinor, at: now }) } : {}),
    jobs: collects ? roundedUp(collects, { operationId, amountMinor, asset }) : [],
  }
}

/** Puts right what the card's month was counted for this payment, by what it came to be more or less. */
function corrected({ payment, card }: Clearing, amountMinor: number): Pick<CardChange, 'use'> {
  if (amountMinor === 0) return {}
  return { use: { cardId: card.id, amountMinor, at: payment.authorised_at } }
}

function reversed(clearing: Clearing, amountMinor?: number): PaymentChange {
  const { open_minor: openMinor } = clearing.payment
  if (amountMinor !== undefined && amountMinor > openMinor && openMinor > 0)
    throw new Refusal('hold_amount_exceeded', 'amountMinor')
  return released(clearing, { minor: amountMinor ?? openMinor, status: 'reversed' })
}

/** Releases so much of what is open. A payment that is over by it, and was captured in part, stays captured. */
export function released(
  clearing: Clearing,
  { minor, status }: { minor: number; status: 'reversed' | 'expired' },
): PaymentChange {
  const { payment } = clearing
  if (payment.status !== 'held') throw new Refusal('hold_not_open')
  const leftOpen = payment.open_minor - minor
  const leftHeld = Math.min(payment.held_minor, leftOpen)
  const over = payment.captured_minor > 0 ? 'captured' : status
  return {
    payment: {
      ...stateOf(payment),
      status: leftOpen > 0 ? 'held' : over,
      open_minor: leftOpen,
      held_minor: leftHeld,
      hold_id: holdLeft(clearing, leftHeld),
    },
    ...corrected(clearing, -minor),
  }
}

/** The shop gives back what it took. */
function refunded(facts: Facts, clearing: Clearing, amountMinor: number): PaymentChange {
  const { payment, now: at } = clearing
  const { captured_minor: capturedMinor, refunded_minor: before } = payment
  if (amountMinor > capturedMinor - before) throw new Refusal('refund_too_large', 'amountMinor')
  const { id: refundId } = operationOf(clearing, 'refund', [])
  return {
    payment: { ...stateOf(payment), refunded_minor: before + amountMinor },
    jobs: takenBack(clearing, facts.firstCaptures.get(payment.id), { refundId, amountMinor, at }),
    notice: refundNotice(clearing, amountMinor),
  }
}

type Back = { refundId: string; amountMinor: number; at: Date }

/** Takes back the cashback and the points of what came back. */
function takenBack(
  { payment, card: { customerId } }: Pick<Clearing, 'payment' | 'card'>,
  first: FirstCapture | undefined,
  { refundId, amountMinor, at }: Back,
): Statement[] {
  const before = payment.refunded_minor
  // The points were the first part's, so it is the first to have come back.
  const ofFirst = (minor: number) => Math.min(minor, first?.amountMinor ?? 0)
  const back = ofFirst(before + amountMinor) - ofFirst(before)
  return [
    cashbackTakenBack({ customerId, causeId: refundId }),
    ...(first && back > 0
      ? [pointsTakenBack({ refundId, causeId: first.operationId, customerId, amountMinor: back, at })]
      : []),
  ]
}

/**
 * Notes what a dispute brought back of a payment that is locked, and takes its points back: nobody is paid back more than
 * was captured, whichever way.
 */
export async function notePaidBack(trx: Trx, locked: Pick<Clearing, 'payment' | 'card'>, back: Back): Promise<void> {
  const { payment } = locked
  const first = (await firstCapturesOf(trx, [payment.scheme_id])).get(payment.id)
  await trx
    .updateTable('bank.card_authorisation')
    .set({ refunded_minor: payment.refunded_minor + back.amountMinor })
    .where('id', '=', payment.id)
    .execute()
  await runAll(trx, takenBack(locked, first, back))
}
