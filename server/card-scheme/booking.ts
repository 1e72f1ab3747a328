import type { Transaction } from 'kysely'
import type { ClearingMessage } from '#contract/card-scheme.ts'
import { type Clearing, holdLeg, paymentDetail, refundDetail } from '#server/card-scheme/payment.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { cardMoveDetail } from '#server/cards/moves.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Leg, Operation } from '#server/ledger/types.ts'
import type { NewNotice } from '#server/notifications/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { collectWithin } from '#server/owed/collecting.ts'
import { type DebtRow, keepDebt, lessen, lockDebts, type Share } from '#server/owed/debts.ts'
import { gather, openPurse, owedAccount, type Purse } from '#server/owed/purse.ts'
import { openSettledPurse, type OwedDeps } from '#server/owed/taking.ts'

type Trx = Transaction<Database>

/** What the ledger calls what a shop makes of a payment. */
const KINDS = {
  capture: 'card.capture',
  reverse: 'card.release',
  expire: 'card.release',
  refund: 'card.refund',
} as const satisfies Record<ClearingMessage['type'], string>

/** An operation by which a message changes a payment. Its id follows from both, so the ledger books it once. */
export function operationOf(
  { payment, messageId, now }: Clearing,
  type: ClearingMessage['type'],
  legs: Leg[],
): Operation {
  const kind = KINDS[type]
  return {
    ...derived('card-scheme', payment.id, `${kind} ${messageId}`),
    kind,
    fingerprint: fingerprintOf(kind, payment.scheme_id, messageId),
    bookedAt: now,
    legs,
  }
}

/** What the operation of a capture is called, and what its line of the statement begins with. */
export function captureNames(clearing: Clearing): { operationId: string; originId: string } {
  const { id: operationId } = operationOf(clearing, 'capture', [])
  return { operationId, originId: clearing.payment.hold_id ?? operationId }
}

/** The hold that is left once no more than `leftHeld` is held. */
export function holdLeft(clearing: Clearing, leftHeld: number): string | null {
  const { hold_id: holdId, held_minor: heldMinor } = clearing.payment
  if (!holdId || leftHeld === heldMinor) return holdId
  return leftHeld > 0 ? operationOf(clearing, 'reverse', []).id : null
}

/** What a shop takes beyond what is held. */
export const beyondHold = ({ payment }: Clearing, message: ClearingMessage): number =>
  message.type === 'capture' ? Math.max(0, message.amountMinor - payment.held_minor) : 0

/** What a payment comes to with all that its customer has and owes. */
export type Means = {
  /** The moves that bring what a shop takes beyond the hold to the card's account, and what nobody has. */
  moves: Leg[]
  missing: { debit: AccountId; amountMinor: number; lost: boolean } | null
  /** What is still owed of the payment, and the account it is kept on. */
  debts: readonly DebtRow[]
  owedAccountId: AccountId
}

/** Where the hold suffices and nobody owes anything. */
export const ENOUGH: Means = { moves: [], missing: null, debts: [], owedAccountId: 0 }

/**
 * Locks all that a customer has, before the ledger locks any of it, and looks what there is for a message. What is missing
 * they owe; of a customer who has closed it is the bank's loss.
 */
export async function meansFor(deps: OwedDeps, trx: Trx, clearing: Clearing, message: ClearingMessage): Promise<Means> {
  const { payment, card } = clearing
  const { customerId } = card
  const beyondMinor = beyondHold(clearing, message)
  const purse = await (beyondMinor > 0 ? openSettledPurse : openPurse)(deps, trx, {
    customerId,
    bankAccounts: [bankAccount('card_scheme'), bankAccount('card_losses')],
  })
  const { legs: moves, coveredMinor } = cover(purse, clearing, beyondMinor)
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
 * Writes down what a message makes of a customer's debts, once it is booked. What is owed is collected from a virtual card that
 * has money again: of the current account it cannot be spent.
 */
export async function keepDebts(
  deps: OwedDeps,
  trx: Trx,
  clearing: Clearing,
  { missing, shares }: { missing: Means['missing']; shares: readonly Share[] },
): Promise<void> {
  const { payment, card } = clearing
  const { customerId, kind } = card
  if (missing) {
    const { operationId: id } = captureNames(clearing)
    const { amountMinor, lost } = missing
    const cause = { cause: 'card_payment', causeId: payment.id, name: payment.merchant } as const
    await keepDebt(deps, trx, { id, customerId, ...cause, amountMinor, lost })
  }
  await lessen(trx, shares)
  if (kind !== 'main') await collectWithin(deps, trx, customerId)
}

/** The notice that tells a customer of a refund, by its amount. */
export function refundNotice(clearing: Clearing, amountMinor: number): NewNotice {
  const { payment, card } = clearing
  const { id: transactionId } = operationOf(clearing, 'refund', [])
  const params = { amountMinor, asset: payment.asset, name: payment.merchant, transactionId }
  return { customerId: card.customerId, kind: 'card_refunded', params }
}

/** The moves that bring the card's account as near to an amount as there is money, and how much of it there is then. */
export function cover(
  purse: Purse | null,
  { card, payment }: { card: Clearing['card']; payment: Pick<Clearing['payment'], 'merchant'> },
  amountMinor: number,
): { legs: Leg[]; coveredMinor: number } {
  if (!purse) return { legs: [], coveredMinor: 0 }
  const { current, spares } = purse
  const note = payment.merchant
  if (card.accountId === current.id) {
    const { legs, availableMinor } = gather({ current, spares }, { amountMinor, note })
    return { legs, coveredMinor: Math.min(amountMinor, availableMinor) }
  }
  const own = spares.find(({ account }) => account.id === card.accountId)?.account.availableMinor ?? 0
  const wanted = Math.max(0, amountMinor - own)
  const { legs, availableMinor } = gather({ current, spares }, { amountMinor: wanted, note, except: card.accountId })
  const moved = Math.min(wanted, availableMinor)
  const detail = { ...cardMoveDetail(card), note }
  if (moved > 0) legs.push({ kind: 'transfer', debit: current.id, credit: card.accountId, amountMinor: moved, detail })
  return { legs, coveredMinor: Math.min(amountMinor, own + moved) }
}

type Taking = {
  leftHeld: number
  /** What the card's account pays, and what it cannot. */
  paidMinor: number
  missing: Means['missing']
}

export function captureLegs({ payment, card }: Clearing, { paidMinor, missing, leftHeld }: Taking): Leg[] {
  const credit = bankAccount('card_scheme')
  const detail = paymentDetail(card, payment)
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

/** What stays held of a payment once its hold is gone. */
const restLeg = (payment: Clearing['payment'], card: Clearing['card'], amountMinor: number): Leg => ({
  // Not the payment's own account: a card that was removed while nothing was held of it spends from the current account.
  ...holdLeg(card, payment, amountMinor),
  despiteDebt: true,
})

export function releaseLegs({ payment, card }: Clearing, leftHeld: number): Leg[] {
  const { hold_id: holdId, held_minor: heldMinor } = payment
  if (!holdId || leftHeld === heldMinor) return []
  return [{ kind: 'void', holdId }, ...(leftHeld > 0 ? [restLeg(payment, card, leftHeld)] : [])]
}

export function refundLegs(
  { payment, card }: Clearing,
  shares: readonly { credit: AccountId; amountMinor: number }[],
): Leg[] {
  const detail = refundDetail(card, payment)
  return shares.flatMap((to) =>
    to.amountMinor > 0 ? [{ kind: 'transfer' as const, debit: bankAccount('card_scheme'), ...to, detail }] : [],
  )
}
