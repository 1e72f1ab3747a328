import type { Transaction } from 'kysely'
import type { ClearingMessage } from '#contract/card-scheme.ts'
import { type LockedPayment, holdLeg, cardPaymentDetail, refundDetail } from '#server/card-scheme/payment.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { cardMoveDetail } from '#server/cards/virtual-card-transfers.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Leg, Operation } from '#server/ledger/types.ts'
import type { NewNotice } from '#server/notifications/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { collectDebtsWithin } from '#server/owed/collect-debts.ts'
import { type DebtRow, recordDebt, reduceDebts, lockDebts, type DebtPayment } from '#server/owed/debts.ts'
import { coverFromSpares, lockFunds, owedAccount, type CustomerFunds } from '#server/owed/customer-funds.ts'
import { lockFundsAfterCollecting, type OwedDeps } from '#server/owed/take-or-owe.ts'

type Trx = Transaction<Database>

/** The ledger's operation kinds for a shop's messages. */
const KINDS = {
  capture: 'card.capture',
  reverse: 'card.release',
  expire: 'card.release',
  refund: 'card.refund',
} as const satisfies Record<ClearingMessage['type'], string>

/** Returns the operation by which a message changes a payment. Its id is derived from both, so the ledger books it once. */
export function operationOf(
  { payment, messageId, now }: LockedPayment,
  type: ClearingMessage['type'],
  legs: Leg[],
): Operation {
  const kind = KINDS[type]
  return {
    ...derivedIdentity('card-scheme', payment.id, `${kind} ${messageId}`),
    kind,
    fingerprint: fingerprintOf(kind, payment.scheme_id, messageId),
    bookedAt: now,
    legs,
  }
}

/** Returns the id of a capture's operation, and the origin id of its statement line. */
export function captureNames(clearing: LockedPayment): { operationId: string; originId: string } {
  const { id: operationId } = operationOf(clearing, 'capture', [])
  return { operationId, originId: clearing.payment.hold_id ?? operationId }
}

/**
 * Returns the id of a payment's hold after a message, when `leftHeld` US cents stay held. Returns null if nothing stays held.
 */
export function holdLeft(clearing: LockedPayment, leftHeld: number): string | null {
  const { hold_id: holdId, held_minor: heldMinor } = clearing.payment
  if (!holdId || leftHeld === heldMinor) return holdId
  return leftHeld > 0 ? operationOf(clearing, 'reverse', []).id : null
}

/** Returns the part of a capture that exceeds the hold, in minor units. */
export const beyondHold = ({ payment }: LockedPayment, message: ClearingMessage): number =>
  message.type === 'capture' ? Math.max(0, message.amountMinor - payment.held_minor) : 0

/** The money and the debts with which a customer settles a message. */
export type SettlementMeans = {
  /**
   * `moves` bring the amount beyond the hold to the card's account. `missing` is the part of that amount that the customer does
   * not have; null if the customer has all of it. `lost` is true if the missing amount is the bank's loss.
   */
  moves: Leg[]
  missing: { debit: AccountId; amountMinor: number; lost: boolean } | null
  /**
   * The open debts that a refund of the payment pays first, and the customer's account for debts (0 without such an account).
   */
  debts: readonly DebtRow[]
  owedAccountId: AccountId
}

/** The means for a message if the hold is large enough and the customer has no debt. */
export const ENOUGH: SettlementMeans = { moves: [], missing: null, debts: [], owedAccountId: 0 }

/**
 * Locks all accounts of a customer before the ledger locks any, and determines the means for a message. A missing amount
 * becomes the customer's debt. For a closed customer it is the bank's loss.
 */
export async function meansFor(
  deps: OwedDeps,
  trx: Trx,
  clearing: LockedPayment,
  message: ClearingMessage,
): Promise<SettlementMeans> {
  const { payment, card } = clearing
  const { customerId } = card
  const beyondMinor = beyondHold(clearing, message)
  const purse = await (beyondMinor > 0 ? lockFundsAfterCollecting : lockFunds)(deps, trx, {
    customerId,
    bankAccounts: [bankAccount('card_scheme'), bankAccount('card_losses')],
  })
  const { legs: moves, coveredMinor } = coverAmount(purse, clearing, beyondMinor)
  const amountMinor = beyondMinor - coveredMinor
  const debtor = async () => (purse ? owedAccount(trx, purse) : bankAccount('card_losses'))
  return {
    moves,
    missing: amountMinor > 0 ? { debit: await debtor(), amountMinor, lost: purse === null } : null,
    debts: purse && message.type === 'refund' ? await lockDebts(trx, customerId, payment.id) : [],
    owedAccountId: purse?.owedAccountId ?? 0,
  }
}

/**
 * Stores the changes of a customer's debts after the booking. If the card is a virtual card, its remaining money pays open
 * debts. Money on the current account is reserved for the debts anyway.
 */
export async function recordDebts(
  deps: OwedDeps,
  trx: Trx,
  clearing: LockedPayment,
  { missing, shares }: { missing: SettlementMeans['missing']; shares: readonly DebtPayment[] },
): Promise<void> {
  const { payment, card } = clearing
  const { customerId, kind } = card
  if (missing) {
    const { operationId: id } = captureNames(clearing)
    const { amountMinor, lost } = missing
    const cause = { cause: 'card_payment', causeId: payment.id, name: payment.merchant } as const
    await recordDebt(deps, trx, { id, customerId, ...cause, amountMinor, lost })
  }
  await reduceDebts(trx, shares)
  if (kind !== 'main') await collectDebtsWithin(deps, trx, customerId)
}

/** Returns the notice of a refund of this amount. */
export function refundNotice(clearing: LockedPayment, amountMinor: number): NewNotice {
  const { payment, card } = clearing
  const { id: transactionId } = operationOf(clearing, 'refund', [])
  const params = { amountMinor, asset: payment.asset, name: payment.merchant, transactionId }
  return { customerId: card.customerId, kind: 'card_refunded', params }
}

/**
 * Returns the moves that bring the card's account as close to an amount as the customer's money allows, and the amount that the
 * account can then pay.
 */
export function coverAmount(
  purse: CustomerFunds | null,
  { card, payment }: { card: LockedPayment['card']; payment: Pick<LockedPayment['payment'], 'merchant'> },
  amountMinor: number,
): { legs: Leg[]; coveredMinor: number } {
  if (!purse) return { legs: [], coveredMinor: 0 }
  const { current, spares } = purse
  const note = payment.merchant
  if (card.accountId === current.id) {
    const { legs, availableMinor } = coverFromSpares({ current, spares }, { amountMinor, note })
    return { legs, coveredMinor: Math.min(amountMinor, availableMinor) }
  }
  const freeMinor = spares.find(({ account }) => account.id === card.accountId)?.account.availableMinor ?? 0
  const missingMinor = Math.max(0, amountMinor - freeMinor)
  const { legs, availableMinor } = coverFromSpares(
    { current, spares },
    { amountMinor: missingMinor, note, except: card.accountId },
  )
  const movedMinor = Math.min(missingMinor, availableMinor)
  const detail = { ...cardMoveDetail(card), note }
  if (movedMinor > 0)
    legs.push({ kind: 'transfer', debit: current.id, credit: card.accountId, amountMinor: movedMinor, detail })
  return { legs, coveredMinor: Math.min(amountMinor, freeMinor + movedMinor) }
}

type Deduction = {
  leftHeld: number
  /** The amount that the card's account pays. */
  paidMinor: number
  missing: SettlementMeans['missing']
}

export function captureLegs({ payment, card }: LockedPayment, { paidMinor, missing, leftHeld }: Deduction): Leg[] {
  const credit = bankAccount('card_scheme')
  const detail = cardPaymentDetail(card, payment)
  const legs: Leg[] = []
  if (payment.hold_id) {
    const beyondMinor = Math.max(0, paidMinor - payment.held_minor)
    legs.push({ kind: 'post', holdId: payment.hold_id, amountMinor: paidMinor, beyondMinor })
  } else if (paidMinor > 0) {
    legs.push({ kind: 'transfer', debit: card.accountId, credit, amountMinor: paidMinor, detail })
  }
  if (missing) {
    const { debit, amountMinor } = missing
    legs.push({ kind: 'transfer', debit, credit, amountMinor, detail })
  }
  if (leftHeld > 0) legs.push(restLeg(payment, card, leftHeld))
  return legs
}

/** Returns the leg that holds the rest of a payment after its hold has ended. */
const restLeg = (payment: LockedPayment['payment'], card: LockedPayment['card'], amountMinor: number): Leg => ({
  // The card's account may differ from the payment's account: a card removed while nothing was held spends from the current
  // account.
  ...holdLeg(card, payment, amountMinor),
  despiteDebt: true,
})

export function releaseLegs({ payment, card }: LockedPayment, leftHeld: number): Leg[] {
  const { hold_id: holdId, held_minor: heldMinor } = payment
  if (!holdId || leftHeld === heldMinor) return []
  return [{ kind: 'void', holdId }, ...(leftHeld > 0 ? [restLeg(payment, card, leftHeld)] : [])]
}

export function refundLegs(
  { payment, card }: LockedPayment,
  shares: readonly { credit: AccountId; amountMinor: number }[],
): Leg[] {
  const detail = refundDetail(card, payment)
  return shares.flatMap((to) =>
    to.amountMinor > 0 ? [{ kind: 'transfer' as const, debit: bankAccount('card_scheme'), ...to, detail }] : [],
  )
}
