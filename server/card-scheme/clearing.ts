import type { Transaction } from 'kysely'
import type { ClearingMessage } from '#contract/card-scheme.ts'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { cashbackTakenBack } from '#server/cards/cashback.ts'
import {
  beyondHold,
  captureLegs,
  captureNames,
  ENOUGH,
  holdLeft,
  keepDebts,
  type Means,
  meansFor,
  operationOf,
  refundLegs,
  refundNotice,
  releaseLegs,
} from '#server/card-scheme/booking.ts'
import { type CardChange, type PaymentChange, stateOf } from '#server/card-scheme/changes.ts'
import type { Facts } from '#server/card-scheme/facts.ts'
import { tipAllowance } from '#server/card-scheme/merchant-codes.ts'
import { answeredAgain, type Answered, type Received } from '#server/card-scheme/messages.ts'
import { type Clearing, type FirstCapture, firstCapturesOf } from '#server/card-scheme/payment.ts'
import { pointsCauseOf } from '#server/card-scheme/points.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import type { Apart, Leg, Ride } from '#server/ledger/types.ts'
import { bookedOrThrow } from '#server/ledger/with-rows.ts'
import { type Share, sharesOf } from '#server/owed/debts.ts'
import type { OwedDeps } from '#server/owed/taking.ts'
import { Outdated, runAll } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Statement } from '#server/platform/db/statement.ts'
import { pointsTakenBack } from '#server/rewards/refunds.ts'
import { roundedUp } from '#server/savings/round-ups.ts'

type Trx = Transaction<Database>
type Told = Received<ClearingMessage>

/** Refusals that are decisions about a payment: the same message is refused again whatever became of it since. */
const DECISIONS: ReadonlySet<ErrorCode> = new Set(['hold_not_open', 'hold_amount_exceeded', 'refund_too_large'])

/**
 * Decides what a shop makes of a payment that was approved, by what was read once its card was locked: apart where the hold does
 * not suffice or the customer owes anything, with all that they have. Throws Refusal `not_found` for a payment that the bank never
 * approved. Once nothing is left to capture or release (`hold_not_open`), and for more than there is (`hold_amount_exceeded`,
 * `refund_too_large`), the answer is that refusal.
 */
export function clear(
  deps: OwedDeps,
  facts: Facts,
  told: Told,
): Ride<CardChange, Answered> | Apart<CardChange, Answered> {
  const known = facts.messages.get(told.message.messageId)
  if (known) return { end: () => ({ answer: answeredAgain(told, known) }) }
  const clearing = clearingOf(facts, told)
  const { message } = told
  try {
    const ride = rideOf(told, clearing, cleared(facts, clearing, message, ENOUGH))
    const holder = facts.holders.get(clearing.card.customerId)
    if (holder?.closed && message.type === 'refund') {
      const { id: operationId } = operationOf(clearing, 'refund', [])
      deps.log.error({ operationId }, 'a card payment was refunded whose customer has closed')
    }
    if (!holder?.owedMinor && beyondHold(clearing, message) === 0) return ride
  } catch (error) {
    if (!(error instanceof Refusal) || !DECISIONS.has(error.code)) throw error
    const { code, field } = error
    const answered = { refused: { code, ...(field ? { field } : {}) } }
    return { end: () => ({ answer: answered, change: { kept: { received: told, answered } } }) }
  }
  return {
    async apart(trx) {
      const means = await meansFor(deps, trx, clearing, message)
      const { missing } = means
      const { shares = [], ...rest } = cleared(facts, clearing, message, means)
      return rideOf(told, clearing, rest, (then) => keepDebts(deps, then, clearing, { missing, shares }))
    },
  }
}

/** What a message comes to: what is booked, what changes, and which debts it pays. */
type Cleared = { legs: Leg[]; change: PaymentChange; shares?: Share[] }

function rideOf(
  told: Told,
  clearing: Clearing,
  { legs, change }: Cleared,
  finish?: (trx: Trx) => Promise<unknown>,
): Ride<CardChange, Answered> {
  const { messageId, authorisationId, type } = told.message
  const answer: Answered = { answer: { messageId, authorisationId, outcome: 'done' } }
  const kept = { received: told, answered: answer }
  const done = { answer, change: { ...change, kept }, finish }
  if (legs.length === 0) return { end: () => done }
  return {
    operation: operationOf(clearing, type, legs),
    end(outcome) {
      if (outcome?.ok === false && outcome.refusal === 'account_closed')
        throw new Outdated('An account was just closed')
      // So long ago that the message is forgotten, and not the money.
      return bookedOrThrow(outcome).replayed ? { answer, change: { kept } } : done
    },
  }
}

function clearingOf(facts: Facts, { message }: Told): Clearing {
  const payment = facts.payments.get(message.authorisationId)
  const card = payment?.card_id ? facts.cards.get(payment.card_id) : undefined
  if (!payment || payment.status === 'declined' || !card) throw new Refusal('not_found', 'authorisationId')
  return { payment, card, messageId: message.messageId, now: facts.now }
}

function cleared(facts: Facts, clearing: Clearing, message: ClearingMessage, means: Means): Cleared {
  switch (message.type) {
    case 'capture':
      return captured(facts, clearing, message, means)
    case 'reverse':
      return reversed(clearing, message.amountMinor)
    case 'expire':
      return released(clearing, { minor: clearing.payment.open_minor, status: 'expired' })
    case 'refund':
      return refunded(facts, clearing, message.amountMinor, means)
  }
}

/** The shop takes what was authorised, a part of it or, where guests tip, somewhat more. */
function captured(
  facts: Facts,
  clearing: Clearing,
  { amountMinor, final }: { amountMinor: number; final: boolean },
  { moves, missing }: Means,
): Cleared {
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
  const change: PaymentChange = {
    payment: {
      ...stateOf(payment),
      status: leftOpen > 0 ? 'held' : 'captured',
      open_minor: leftOpen,
      held_minor: leftHeld,
      hold_id: leftHeld > 0 ? operationId : null,
      captured_minor: before + amountMinor,
      lost_minor: payment.lost_minor + (missing?.lost ? missing.amountMinor : 0),
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
  const paidMinor = amountMinor - (missing?.amountMinor ?? 0)
  return { legs: [...moves, ...captureLegs(clearing, { paidMinor, missing, leftHeld })], change }
}

/** Puts right what the card's month was counted for this payment, by what it came to be more or less. */
function corrected({ payment, card }: Clearing, amountMinor: number): Pick<CardChange, 'use'> {
  if (amountMinor === 0) return {}
  return { use: { cardId: card.id, amountMinor, at: payment.authorised_at } }
}

function reversed(clearing: Clearing, amountMinor?: number): Cleared {
  const { open_minor: openMinor } = clearing.payment
  if (amountMinor !== undefined && amountMinor > openMinor && openMinor > 0)
    throw new Refusal('hold_amount_exceeded', 'amountMinor')
  return released(clearing, { minor: amountMinor ?? openMinor, status: 'reversed' })
}

/** Releases so much of what is open. A payment that is over by it, and was captured in part, stays captured. */
function released(clearing: Clearing, { minor, status }: { minor: number; status: 'reversed' | 'expired' }): Cleared {
  const { payment } = clearing
  if (payment.status !== 'held') throw new Refusal('hold_not_open')
  const leftOpen = payment.open_minor - minor
  const leftHeld = Math.min(payment.held_minor, leftOpen)
  const over = payment.captured_minor > 0 ? 'captured' : status
  const change: PaymentChange = {
    payment: {
      ...stateOf(payment),
      status: leftOpen > 0 ? 'held' : over,
      open_minor: leftOpen,
      held_minor: leftHeld,
      hold_id: holdLeft(clearing, leftHeld),
    },
    ...corrected(clearing, -minor),
  }
  return { legs: releaseLegs(clearing, leftHeld), change }
}

/**
 * The shop gives back what it took. What the bank paid for the customer comes back first, whether it was lost or they still owe
 * it, and they get the rest; for one who has closed it is kept as owed to them.
 */
function refunded(facts: Facts, clearing: Clearing, amountMinor: number, { debts, owedAccountId }: Means): Cleared {
  const { payment, card, now: at } = clearing
  const { captured_minor: capturedMinor, refunded_minor: before, lost_minor: lostMinor } = payment
  if (amountMinor > capturedMinor - before) throw new Refusal('refund_too_large', 'amountMinor')
  const toBank = Math.min(amountMinor, lostMinor)
  const shares = sharesOf(debts, amountMinor - toBank)
  const toDebt = shares.reduce((sum, { paidMinor }) => sum + paidMinor, 0)
  const toCustomer = amountMinor - toBank - toDebt
  const isClosed = facts.holders.get(card.customerId)?.closed
  const { id: refundId } = operationOf(clearing, 'refund', [])
  return {
    shares,
    legs: refundLegs(clearing, [
      { credit: isClosed ? bankAccount('unclaimed_payments') : card.accountId, amountMinor: toCustomer },
      { credit: owedAccountId, amountMinor: toDebt },
      { credit: bankAccount('card_losses'), amountMinor: toBank },
    ]),
    change: {
      payment: { ...stateOf(payment), refunded_minor: before + amountMinor, lost_minor: lostMinor - toBank },
      jobs: takenBack(clearing, facts.firstCaptures.get(payment.id), { refundId, amountMinor, at }),
      ...(toCustomer > 0 ? { notice: refundNotice(clearing, toCustomer) } : {}),
    },
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
