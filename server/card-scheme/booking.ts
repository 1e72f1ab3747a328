import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { type Clearing, paymentDetail, refundDetail } from '#server/card-scheme/payment.ts'
import { accountsById } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { Leg, Operation } from '#server/ledger/types.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

type Trx = Transaction<Database>
type BookDeps = Pick<Deps, 'ledger' | 'log'>

const CAPTURE = 'card.capture'

/** An operation by which a message changes a payment. Its id follows from both, so the ledger books it once. */
function operationOf({ payment, messageId, now }: Clearing, kind: string, legs: Leg[]): Operation {
  return {
    ...derived('card-scheme', payment.id, `${kind} ${messageId}`),
    kind,
    fingerprint: fingerprintOf(kind, payment.scheme_id, messageId),
    bookedAt: now,
    legs,
  }
}

const SHORT = new Set(['insufficient_funds', 'account_closed', 'account_frozen'])

/** Whether the ledger refused for how much is on an account, or for its state. It has locked the account by then. */
export function isShort(error: unknown): boolean {
  return error instanceof Refusal && SHORT.has(error.code)
}

/** What the operation of a capture is called, and what its line of the statement begins with. */
export function captureNames(clearing: Clearing): { operationId: string; originId: string } {
  const { id: operationId } = operationOf(clearing, CAPTURE, [])
  return { operationId, originId: clearing.payment.hold_id ?? operationId }
}

/**
 * Books what a shop takes, out of the hold and beyond it out of what else the customer has. The scheme has promised it to
 * the shop, so what the customer does not have is the bank's loss; no account goes below zero. `leftHeld` stays held. Answers what the bank lost.
 */
export async function bookCapture(
  { ledger }: BookDeps,
  trx: Trx,
  clearing: Clearing,
  { amountMinor, leftHeld }: { amountMinor: number; leftHeld: number },
): Promise<number> {
  const { payment, card } = clearing
  const taking = (lostMinor: number): Operation =>
    operationOf(clearing, CAPTURE, captureLegs(clearing, { amountMinor, lostMinor, leftHeld }))
  try {
    await ledger.postWithin(runIn(trx), [taking(0)])
    return 0
  } catch (error) {
    if (!isShort(error)) throw error
  }
  const [account] = await accountsById(runIn(trx), [card.accountId])
  const available = account?.status === 'open' ? account.availableMinor : 0
  const lostMinor = amountMinor - Math.min(amountMinor, payment.held_minor + available)
  await ledger.postWithin(runIn(trx), [taking(lostMinor)])
  return lostMinor
}

type Taking = { amountMinor: number; lostMinor: number; leftHeld: number }

function captureLegs({ payment, card }: Clearing, { amountMinor, lostMinor, leftHeld }: Taking): Leg[] {
  const credit = bankAccount('card_scheme')
  const detail = paymentDetail(card, payment)
  const paidMinor = amountMinor - lostMinor
  const legs: Leg[] = []
  if (payment.hold_id) {
    const beyondMinor = Math.max(0, paidMinor - payment.held_minor)
    legs.push({ kind: 'post', holdId: payment.hold_id, amountMinor: paidMinor, beyondMinor })
  } else if (paidMinor > 0) {
    legs.push({ kind: 'transfer', debit: card.accountId, credit, amountMinor: paidMinor, detail })
  }
  if (lostMinor > 0)
    legs.push({ kind: 'transfer', debit: bankAccount('card_losses'), credit, amountMinor: lostMinor, detail })
  if (leftHeld > 0) legs.push(restLeg(payment, card, leftHeld))
  return legs
}

/** What stays held of a payment once its hold is gone. */
function restLeg(payment: Clearing['payment'], card: Clearing['card'], amountMinor: number): Leg {
  return {
    kind: 'hold',
    // Not the payment's own: a card that was removed while nothing was held of it spends from the current account.
    debit: card.accountId,
    credit: bankAccount('card_scheme'),
    amountMinor,
    detail: paymentDetail(card, payment),
    expiresAt: payment.expires_at,
  }
}

/** Releases what is held down to `leftHeld`. Answers the hold that is left. */
export async function bookRelease(
  { ledger }: BookDeps,
  trx: Trx,
  clearing: Clearing,
  leftHeld: number,
): Promise<string | null> {
  const { payment, card } = clearing
  const { hold_id: holdId, held_minor: heldMinor } = payment
  if (!holdId || leftHeld === heldMinor) return holdId
  const rest = leftHeld > 0 ? [restLeg(payment, card, leftHeld)] : []
  const operation = operationOf(clearing, 'card.release', [{ kind: 'void', holdId }, ...rest])
  await ledger.postWithin(runIn(trx), [operation])
  return leftHeld > 0 ? operation.id : null
}

/** Books what a shop gives back. For a customer who has closed it is kept as owed to them. Answers the operation. */
export async function bookRefund(
  { ledger, log }: BookDeps,
  trx: Trx,
  clearing: Clearing,
  { toBank, toCustomer }: { toBank: number; toCustomer: number },
): Promise<string> {
  const { payment, card } = clearing
  const debit = bankAccount('card_scheme')
  const detail = refundDetail(card, payment)
  const operation = (credit: number): Operation =>
    operationOf(clearing, 'card.refund', [
      ...(toCustomer > 0 ? [{ kind: 'transfer' as const, debit, credit, amountMinor: toCustomer, detail }] : []),
      ...(toBank > 0
        ? [{ kind: 'transfer' as const, debit, credit: bankAccount('card_losses'), amountMinor: toBank, detail }]
        : []),
    ])
  const { id } = operation(card.accountId)
  try {
    await ledger.postWithin(runIn(trx), [operation(card.accountId)])
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'account_closed') throw error
    await ledger.postWithin(runIn(trx), [operation(bankAccount('unclaimed_payments'))])
    log.error({ operationId: id }, 'a card payment was refunded whose customer has closed')
  }
  return id
}
