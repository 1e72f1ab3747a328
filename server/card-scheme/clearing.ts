import type { Transaction, Updateable } from 'kysely'
import type { ClearingMessage } from '#contract/card-scheme.ts'
import { Refusal } from '#contract/errors.ts'
import { takeCashbackBackSoon } from '#server/cards/cashback.ts'
import { countUse } from '#server/cards/use.ts'
import {
  bookCapture,
  bookRefund,
  bookRelease,
  captureNames,
  collectFromCard,
  lockToCollect,
} from '#server/card-scheme/booking.ts'
import { tipAllowance } from '#server/card-scheme/merchant-codes.ts'
import {
  answeredAgain,
  type Answered,
  keepMessages,
  knownMessages,
  type Received,
} from '#server/card-scheme/messages.ts'
import { type AuthorisationRow, type Clearing, lockPayment } from '#server/card-scheme/payment.ts'
import { notify } from '#server/notifications/service.ts'
import type { OwedDeps } from '#server/owed/taking.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { earnPointsSoon } from '#server/rewards/earning.ts'
import { takePointsBackSoon } from '#server/rewards/refunds.ts'
import { roundUpAfter } from '#server/savings/round-ups.ts'

type Trx = Transaction<Database>
export type ClearingDeps = OwedDeps & Pick<Deps, 'db'>

/**
 * Does what a shop makes of a payment that was approved. Throws Refusal `not_found` for a payment that the bank never
 * approved, `hold_not_open` once nothing is left to capture or release, `hold_amount_exceeded` and `refund_too_large` for
 * more than there is.
 */
export async function clear(deps: ClearingDeps, received: Received<ClearingMessage>): Promise<Answered> {
  const { message } = received
  const { messageId, authorisationId } = message
  return inTransaction(deps.db, async (trx) => {
    const locked = await lockPayment(trx, authorisationId)
    const known = (await knownMessages(trx, [messageId])).get(messageId)
    if (known) return answeredAgain(received, known)
    if (!locked) throw new Refusal('not_found', 'authorisationId')
    const answered: Answered = { answer: { messageId, authorisationId, outcome: 'done' } }
    await keepMessages(deps, trx, [{ received, answered }])
    await apply(deps, trx, { ...locked, messageId, now: deps.clock.businessNow() }, message)
    return answered
  })
}

async function apply(deps: ClearingDeps, trx: Trx, clearing: Clearing, message: ClearingMessage): Promise<void> {
  switch (message.type) {
    case 'capture':
      return capture(deps, trx, clearing, message)
    case 'reverse':
      return reverse(deps, trx, clearing, message.amountMinor)
    case 'expire':
      return release(deps, trx, clearing, { minor: clearing.payment.open_minor, status: 'expired' })
    case 'refund':
      return refund(deps, trx, clearing, message.amountMinor)
  }
}

function update(trx: Trx, { id }: AuthorisationRow, set: Updateable<Database['bank.card_authorisation']>) {
  return trx.updateTable('bank.card_authorisation').set(set).where('id', '=', id).execute()
}

/** The shop takes what was authorised, a part of it or, where guests tip, somewhat more. */
async function capture(
  deps: ClearingDeps,
  trx: Trx,
  clearing: Clearing,
  { amountMinor, final }: { amountMinor: number; final: boolean },
): Promise<void> {
  const { payment, card, now } = clearing
  if (payment.status !== 'held') throw new Refusal('hold_not_open')
  const { open_minor: openMinor, held_minor: heldMinor, captured_minor: before } = payment
  if (amountMinor > openMinor + tipAllowance(payment.mcc, before + openMinor))
    throw new Refusal('hold_amount_exceeded', 'amountMinor')
  const leftOpen = final ? 0 : Math.max(0, openMinor - amountMinor)
  const leftHeld = Math.min(leftOpen, Math.max(0, heldMinor - amountMinor))
  const { operationId, originId } = captureNames(clearing)
  await update(trx, payment, {
    status: leftOpen > 0 ? 'held' : 'captured',
    open_minor: leftOpen,
    held_minor: leftHeld,
    hold_id: leftHeld > 0 ? operationId : null,
    captured_minor: before + amountMinor,
  })
  await trx
    .insertInto('bank.card_capture')
    .values({ operation_id: operationId, origin_id: originId, authorisation_id: payment.id, amount_minor: amountMinor })
    .execute()
  const { customerId } = card
  const { asset } = payment
  await roundUpAfter(deps, trx, { customerId, operationId, amountMinor, asset })
  // One payment earns once, in however many parts the shop takes it.
  const earns = { causeId: operationId, customerId, at: now, amountMinor, name: payment.merchant }
  if (before === 0) await earnPointsSoon(trx, { kind: 'card', ...earns, abroad: payment.abroad })
  // What the shop did not take of what was held.
  const isLess = amountMinor < heldMinor - leftHeld
  // Last, because everybody else's payments wait for the ledger's locks.
  if (isLess) await lockToCollect(trx, clearing)
  const lostMinor = await bookCapture(deps, trx, clearing, { amountMinor, leftHeld })
  if (lostMinor > 0) await update(trx, payment, { lost_minor: payment.lost_minor + lostMinor })
  await countRest(trx, clearing, amountMinor + leftOpen - openMinor)
  if (isLess) await collectFromCard(deps, trx, clearing)
}

/** Puts right what the card's month was counted for this payment, by what it came to be more or less. */
async function countRest(trx: Trx, { payment, card }: Clearing, amountMinor: number): Promise<void> {
  if (amountMinor !== 0) await countUse(trx, { cardId: card.id, amountMinor, at: payment.authorised_at })
}

async function reverse(deps: ClearingDeps, trx: Trx, clearing: Clearing, amountMinor?: number): Promise<void> {
  const { open_minor: openMinor } = clearing.payment
  if (amountMinor !== undefined && amountMinor > openMinor && openMinor > 0)
    throw new Refusal('hold_amount_exceeded', 'amountMinor')
  return release(deps, trx, clearing, { minor: amountMinor ?? openMinor, status: 'reversed' })
}

/** Releases so much of what is open. A payment that is over by it, and was captured in part, stays captured. */
export async function release(
  deps: ClearingDeps,
  trx: Trx,
  clearing: Clearing,
  { minor, status }: { minor: number; status: 'reversed' | 'expired' },
): Promise<void> {
  const { payment } = clearing
  if (payment.status !== 'held') throw new Refusal('hold_not_open')
  const leftOpen = payment.open_minor - minor
  const leftHeld = Math.min(payment.held_minor, leftOpen)
  await lockToCollect(trx, clearing)
  const holdId = await bookRelease(deps, trx, clearing, leftHeld)
  const over = payment.captured_minor > 0 ? 'captured' : status
  await update(trx, payment, {
    status: leftOpen > 0 ? 'held' : over,
    open_minor: leftOpen,
    held_minor: leftHeld,
    hold_id: holdId,
  })
  await countRest(trx, clearing, -minor)
  await collectFromCard(deps, trx, clearing)
}

/**
 * Notes what came back of a payment that is locked, from the shop or by a dispute, and takes its points back: nobody is
 * paid back more than was captured, whichever way.
 */
export async function notePaidBack(
  trx: Trx,
  { payment, card }: Pick<Clearing, 'payment' | 'card'>,
  { refundId, amountMinor, at }: { refundId: string; amountMinor: number; at: Date },
): Promise<void> {
  const before = payment.refunded_minor
  await takeCashbackBackSoon(trx, { customerId: card.customerId, causeId: refundId })
  await update(trx, payment, { refunded_minor: before + amountMinor })
  const [first] = await trx
    .selectFrom('bank.card_capture')
    .select(['operation_id', 'amount_minor'])
    .where('authorisation_id', '=', payment.id)
    .orderBy('place')
    .limit(1)
    .execute()
  // The points were the first part's, so it is the first to have come back.
  const ofFirst = (minor: number) => Math.min(minor, first?.amount_minor ?? 0)
  const back = ofFirst(before + amountMinor) - ofFirst(before)
  if (!first || back === 0) return
  const { customerId } = card
  await takePointsBackSoon(trx, { refundId, causeId: first.operation_id, customerId, amountMinor: back, at })
}

/** The shop gives back what it took. What the bank had paid for the customer comes back first. */
async function refund(deps: ClearingDeps, trx: Trx, clearing: Clearing, amountMinor: number): Promise<void> {
  const { payment, card, now } = clearing
  const { captured_minor: capturedMinor, refunded_minor: before, lost_minor: lostMinor } = payment
  if (amountMinor > capturedMinor - before) throw new Refusal('refund_too_large', 'amountMinor')
  const { refundId, toBank, toCustomer } = await bookRefund(deps, trx, clearing, amountMinor)
  await update(trx, payment, { lost_minor: lostMinor - toBank })
  await notePaidBack(trx, clearing, { refundId, amountMinor, at: now })
  if (toCustomer === 0) return
  const params = { amountMinor: toCustomer, asset: payment.asset, name: payment.merchant, transactionId: refundId }
  await notify(deps, trx, { customerId: card.customerId, kind: 'card_refunded', params })
}
