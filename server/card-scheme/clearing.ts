import type { Transaction } from 'kysely'
import type { ClearingMessage } from '#contract/card-scheme.ts'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { enqueueCashbackTakeBack } from '#server/cards/cashback.ts'
import {
  beyondHold,
  captureLegs,
  captureNames,
  ENOUGH,
  holdLeft,
  recordDebts,
  type SettlementMeans,
  meansFor,
  operationOf,
  refundLegs,
  refundNotice,
  releaseLegs,
} from '#server/card-scheme/booking.ts'
import { type CardChange, type PaymentChange, paymentStateOf } from '#server/card-scheme/row-changes.ts'
import type { DecisionContext } from '#server/card-scheme/decision-context.ts'
import { tipAllowance } from '#server/card-scheme/merchant-codes.ts'
import { repeatedAnswer, type MessageAnswer, type ReceivedMessage } from '#server/card-scheme/messages.ts'
import { type LockedPayment, type FirstCapture, firstCapturesOf } from '#server/card-scheme/payment.ts'
import { pointsCauseOf } from '#server/card-scheme/points.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import type { SeparateRequest, Leg, RequestDecision } from '#server/ledger/types.ts'
import { bookedOrThrow } from '#server/ledger/post-with-rows.ts'
import { type DebtPayment, allocateToDebts } from '#server/owed/debts.ts'
import type { OwedDeps } from '#server/owed/take-or-owe.ts'
import { OutdatedError, runAll } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { SqlStatement } from '#server/platform/db/statement.ts'
import { enqueuePointsTakeBack } from '#server/rewards/refunds.ts'
import { enqueueRoundUp } from '#server/savings/round-ups.ts'

type Trx = Transaction<Database>
type ReceivedClearing = ReceivedMessage<ClearingMessage>

/**
 * The refusals that are final decisions about a payment. They are stored, so the same message is refused again whatever has
 * happened to the payment since.
 */
const DECISIONS: ReadonlySet<ErrorCode> = new Set(['hold_not_open', 'hold_amount_exceeded', 'refund_too_large'])

/**
 * Decides a shop's message about an approved payment from the facts read after its card was locked. If the amount exceeds the
 * hold or the customer has debts, the message needs more locks: it is decided in its own SQL transaction, which locks all the
 * customer's accounts. Throws Refusal `not_found` for a payment that the bank never approved. The answer is a refusal if
 * nothing is left to capture or release (`hold_not_open`) or the amount is too large (`hold_amount_exceeded`,
 * `refund_too_large`).
 */
export function clearMessage(
  deps: OwedDeps,
  facts: DecisionContext,
  received: ReceivedClearing,
): RequestDecision<CardChange, MessageAnswer> | SeparateRequest<CardChange, MessageAnswer> {
  const storedAnswer = facts.messages.get(received.message.messageId)
  if (storedAnswer) return { end: () => ({ answer: repeatedAnswer(received, storedAnswer) }) }
  const clearing = clearingOf(facts, received)
  const { message } = received
  try {
    const decision = decisionOf(received, clearing, cleared(facts, clearing, message, ENOUGH))
    const holder = facts.holders.get(clearing.card.customerId)
    if (holder?.closed && message.type === 'refund') {
      const { id: operationId } = operationOf(clearing, 'refund', [])
      deps.log.error({ operationId }, 'a card payment was refunded after its customer had closed')
    }
    if (!holder?.owedMinor && beyondHold(clearing, message) === 0) return decision
  } catch (error) {
    if (!(error instanceof Refusal) || !DECISIONS.has(error.code)) throw error
    const { code, field } = error
    const refusal = { refused: { code, ...(field ? { field } : {}) } }
    return { end: () => ({ answer: refusal, change: { answeredMessage: { received, answered: refusal } } }) }
  }
  return {
    async apart(trx) {
      const means = await meansFor(deps, trx, clearing, message)
      const { missing } = means
      const { shares = [], ...rest } = cleared(facts, clearing, message, means)
      return decisionOf(received, clearing, rest, (then) => recordDebts(deps, then, clearing, { missing, shares }))
    },
  }
}

/** The result of a message: the legs to book, the changes, and the paid shares of debts. */
type Cleared = { legs: Leg[]; change: PaymentChange; shares?: DebtPayment[] }

function decisionOf(
  received: ReceivedClearing,
  clearing: LockedPayment,
  { legs, change }: Cleared,
  finish?: (trx: Trx) => Promise<unknown>,
): RequestDecision<CardChange, MessageAnswer> {
  const { messageId, authorisationId, type } = received.message
  const answer: MessageAnswer = { answer: { messageId, authorisationId, outcome: 'done' } }
  const answeredMessage = { received, answered: answer }
  const result = { answer, change: { ...change, answeredMessage }, finish }
  if (legs.length === 0) return { end: () => result }
  return {
    operation: operationOf(clearing, type, legs),
    end(outcome) {
      if (outcome?.ok === false && outcome.refusal === 'account_closed')
        throw new OutdatedError('An account was just closed')
      // The message is so old that its answer was deleted, but the ledger still has its operation.
      return bookedOrThrow(outcome).replayed ? { answer, change: { answeredMessage } } : result
    },
  }
}

function clearingOf(facts: DecisionContext, { message }: ReceivedClearing): LockedPayment {
  const payment = facts.payments.get(message.authorisationId)
  const card = payment?.card_id ? facts.cards.get(payment.card_id) : undefined
  if (!payment || payment.status === 'declined' || !card) throw new Refusal('not_found', 'authorisationId')
  return { payment, card, messageId: message.messageId, now: facts.now }
}

function cleared(
  facts: DecisionContext,
  clearing: LockedPayment,
  message: ClearingMessage,
  means: SettlementMeans,
): Cleared {
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

/** Captures the authorized amount, a part of it or, at shops where guests tip, up to the tip allowance more. */
function captured(
  facts: DecisionContext,
  clearing: LockedPayment,
  { amountMinor, final }: { amountMinor: number; final: boolean },
  { moves, missing }: SettlementMeans,
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
      ...paymentStateOf(payment),
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
    // A payment earns points once, with its first capture, even if the shop captures it in several parts.
    ...(before === 0 ? { earns: pointsCauseOf(payment, { operationId, customerId, amountMinor, at: now }) } : {}),
    jobs: collects ? enqueueRoundUp(collects, { operationId, amountMinor, asset }) : [],
  }
  const paidMinor = amountMinor - (missing?.amountMinor ?? 0)
  return { legs: [...moves, ...captureLegs(clearing, { paidMinor, missing, leftHeld })], change }
}

/**
 * Returns the change of the card's monthly total by `amountMinor`, which is below zero if the payment becomes smaller than it
 * was counted.
 */
function corrected({ payment, card }: LockedPayment, amountMinor: number): Pick<CardChange, 'use'> {
  if (amountMinor === 0) return {}
  return { use: { cardId: card.id, amountMinor, at: payment.authorised_at } }
}

function reversed(clearing: LockedPayment, amountMinor?: number): Cleared {
  const { open_minor: openMinor } = clearing.payment
  if (amountMinor !== undefined && amountMinor > openMinor && openMinor > 0)
    throw new Refusal('hold_amount_exceeded', 'amountMinor')
  return released(clearing, { minor: amountMinor ?? openMinor, status: 'reversed' })
}

/** Releases a part of the open amount. If nothing stays open, the payment ends: as `captured` if a part of it was captured. */
function released(
  clearing: LockedPayment,
  { minor, status }: { minor: number; status: 'reversed' | 'expired' },
): Cleared {
  const { payment } = clearing
  if (payment.status !== 'held') throw new Refusal('hold_not_open')
  const leftOpen = payment.open_minor - minor
  const leftHeld = Math.min(payment.held_minor, leftOpen)
  const over = payment.captured_minor > 0 ? 'captured' : status
  const change: PaymentChange = {
    payment: {
      ...paymentStateOf(payment),
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
 * Books a shop's refund. The refund first repays the bank's loss on this payment, then the customer's debts for this payment.
 * The customer gets the remaining amount. For a closed customer, this amount is kept as unclaimed.
 */
function refunded(
  facts: DecisionContext,
  clearing: LockedPayment,
  amountMinor: number,
  { debts, owedAccountId }: SettlementMeans,
): Cleared {
  const { payment, card, now } = clearing
  const { captured_minor: capturedMinor, refunded_minor: before, lost_minor: lostMinor } = payment
  if (amountMinor > capturedMinor - before) throw new Refusal('refund_too_large', 'amountMinor')
  const toBank = Math.min(amountMinor, lostMinor)
  const shares = allocateToDebts(debts, amountMinor - toBank)
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
      payment: { ...paymentStateOf(payment), refunded_minor: before + amountMinor, lost_minor: lostMinor - toBank },
      jobs: takenBack(clearing, facts.firstCaptures.get(payment.id), { refundId, amountMinor, at: now }),
      ...(toCustomer > 0 ? { notice: refundNotice(clearing, toCustomer) } : {}),
    },
  }
}

type Back = { refundId: string; amountMinor: number; at: Date }

/** Returns the jobs that take back the cashback and the points of the refunded amount. */
function takenBack(
  { payment, card: { customerId } }: Pick<LockedPayment, 'payment' | 'card'>,
  first: FirstCapture | undefined,
  { refundId, amountMinor, at }: Back,
): SqlStatement[] {
  const before = payment.refunded_minor
  // Only the first capture earned points. Refunds therefore count to the first capture before they count to later ones.
  const ofFirst = (minor: number) => Math.min(minor, first?.amountMinor ?? 0)
  const back = ofFirst(before + amountMinor) - ofFirst(before)
  return [
    enqueueCashbackTakeBack({ customerId, causeId: refundId }),
    ...(first && back > 0
      ? [enqueuePointsTakeBack({ refundId, causeId: first.operationId, customerId, amountMinor: back, at })]
      : []),
  ]
}

/**
 * Records on a locked payment that a dispute paid money back, and takes back the cashback and the points of that money. Refunds
 * and disputes together thus never exceed the captured amount.
 */
export async function recordPaidBack(
  trx: Trx,
  locked: Pick<LockedPayment, 'payment' | 'card'>,
  back: Back,
): Promise<void> {
  const { payment } = locked
  const first = (await firstCapturesOf(trx, [payment.scheme_id])).get(payment.id)
  await trx
    .updateTable('bank.card_authorisation')
    .set({ refunded_minor: payment.refunded_minor + back.amountMinor })
    .where('id', '=', payment.id)
    .execute()
  await runAll(trx, takenBack(locked, first, back))
}
