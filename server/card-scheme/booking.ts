import type { Transaction } from 'kysely'
import type { ClearingMessage } from '#contract/card-scheme.ts'
import { Refusal } from '#contract/errors.ts'
import type { CardChange, PaymentChange } from '#server/card-scheme/changes.ts'
import { type Clearing, paymentDetail, refundDetail } from '#server/card-scheme/payment.ts'
import { lockAccountsOf, owedOnCurrent } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { cardMoveDetail } from '#server/cards/moves.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Leg, Operation } from '#server/ledger/types.ts'
import type { NewNotice } from '#server/notifications/service.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { collectAfter } from '#server/owed/collecting.ts'
import { keepDebt, leftOf, lessen, lockDebts, sharesOf } from '#server/owed/debts.ts'
import { gather, openPurse, owedAccount, type Purse } from '#server/owed/purse.ts'
import { openSettledPurse, type OwedDeps } from '#server/owed/taking.ts'

type Trx = Transaction<Database>
type BookDeps = OwedDeps

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

/**
 * What a message books where the customer owes nothing and has not closed; null where the hold does not suffice or the bank
 * has lost something by the payment, so that more has to be looked at.
 */
export function legsWithinHold(clearing: Clearing, message: ClearingMessage, leftHeld: number): Leg[] | null {
  const { payment, card } = clearing
  switch (message.type) {
    case 'capture': {
      const { amountMinor } = message
      if (amountMinor > payment.held_minor) return null
      return captureLegs(clearing, { paidMinor: amountMinor, missing: null, leftHeld })
    }
    case 'reverse':
    case 'expire':
      return releaseLegs(clearing, leftHeld)
    case 'refund':
      if (payment.lost_minor > 0) return null
      return refundLegs(clearing, [{ credit: card.accountId, amountMinor: message.amountMinor }])
  }
}

/** The notice that tells a customer of a refund, by its amount. */
export function refundNotice(clearing: Clearing, amountMinor: number): NewNotice {
  const { payment, card } = clearing
  const { id: transactionId } = operationOf(clearing, 'refund', [])
  const params = { amountMinor, asset: payment.asset, name: payment.merchant, transactionId }
  return { customerId: card.customerId, kind: 'card_refunded', params }
}

type Booking = { clearing: Clearing; message: ClearingMessage; change: PaymentChange }

/** Books a message with all that the customer has, and answers what it changes then. */
export async function bookAlone(deps: BookDeps, trx: Trx, { clearing, message, change }: Booking): Promise<CardChange> {
  const { payment } = change
  const { held_minor: leftHeld } = payment
  switch (message.type) {
    case 'capture': {
      // What the shop did not take of what was held.
      const isLess = message.amountMinor < clearing.payment.held_minor - leftHeld
      if (isLess) await lockToCollect(trx, clearing)
      const lostMinor = await bookCapture(deps, trx, clearing, { amountMinor: message.amountMinor, leftHeld })
      if (isLess) await collectFromCard(deps, trx, clearing)
      return { ...change, payment: { ...payment, lost_minor: payment.lost_minor + lostMinor } }
    }
    case 'reverse':
    case 'expire':
      await bookRelease(deps, trx, clearing, leftHeld)
      return change
    case 'refund': {
      const { toBank, toCustomer } = await bookRefund(deps, trx, clearing, message.amountMinor)
      const { notice: _, ...rest } = change
      const notice = toCustomer > 0 ? { notice: refundNotice(clearing, toCustomer) } : {}
      return { ...rest, ...notice, payment: { ...payment, lost_minor: payment.lost_minor - toBank } }
    }
  }
}

/**
 * Books what a shop takes: the scheme has promised it. It comes out of the hold, and beyond it from the card's account and
 * then from what else the customer has. What is missing they owe; of a customer who has closed it is the bank's loss, which
 * is answered. `leftHeld` stays held.
 */
async function bookCapture(
  deps: BookDeps,
  trx: Trx,
  clearing: Clearing,
  taken: { amountMinor: number; leftHeld: number },
): Promise<number> {
  const { payment, card } = clearing
  if (taken.amountMinor <= payment.held_minor) {
    const legs = captureLegs(clearing, { ...taken, paidMinor: taken.amountMinor, missing: null })
    await deps.ledger.postWithin(runIn(trx), [operationOf(clearing, 'capture', legs)])
    return 0
  }
  const credit = bankAccount('card_scheme')
  const purse = await openSettledPurse(deps, trx, { customerId: card.customerId, bankAccounts: [credit] })
  const beyondMinor = taken.amountMinor - payment.held_minor
  const { legs, coveredMinor } = purse ? cover(purse, clearing, beyondMinor) : { legs: [], coveredMinor: 0 }
  const missingMinor = beyondMinor - coveredMinor
  const missing =
    missingMinor > 0
      ? { debit: purse ? await owedAccount(trx, purse) : bankAccount('card_losses'), amountMinor: missingMinor }
      : null
  const paidMinor = payment.held_minor + coveredMinor
  const operation = operationOf(clearing, 'capture', [
    ...legs,
    ...captureLegs(clearing, { ...taken, paidMinor, missing }),
  ])
  await deps.ledger.postWithin(runIn(trx), [operation])
  if (!missing) return 0
  const lost = purse === null
  const debt = { customerId: card.customerId, causeId: payment.id, name: payment.merchant, amountMinor: missingMinor }
  await keepDebt(deps, trx, { ...debt, id: operation.id, cause: 'card_payment', lost })
  return lost ? missingMinor : 0
}

/** The moves that bring the card's account as near to an amount as there is money, and how much of it there is then. */
export function cover(
  { current, spares }: Pick<Purse, 'current' | 'spares'>,
  { card, payment }: { card: Clearing['card']; payment: Pick<Clearing['payment'], 'merchant'> },
  amountMinor: number,
): { legs: Leg[]; coveredMinor: number } {
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
  missing: { debit: AccountId; amountMinor: number } | null
}

function captureLegs({ payment, card }: Clearing, { paidMinor, missing, leftHeld }: Taking): Leg[] {
  const credit = bankAccount('card_scheme')
  const detail = paymentDetail(card, payment)
  const legs: Leg[] = []
  if (payment.hold_id) {
    const beyondMinor = Math.max(0, paidMinor - payment.held_minor)
    legs.push({ kind: 'post', holdId: payment.hold_id, amountMinor: paidMinor, beyondMinor })
  } else if (paidMinor > 0) {
    legs.push({ kind: 'transfer', debit: card.accountId, credit, amountMinor: paidMinor, detail })
  }
  if (missing) legs.push({ kind: 'transfer', ...missing, credit, detail })
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
    despiteDebt: true,
  }
}

function releaseLegs({ payment, card }: Clearing, leftHeld: number): Leg[] {
  const { hold_id: holdId, held_minor: heldMinor } = payment
  if (!holdId || leftHeld === heldMinor) return []
  return [{ kind: 'void', holdId }, ...(leftHeld > 0 ? [restLeg(payment, card, leftHeld)] : [])]
}

/** Releases what is held down to `leftHeld`, and collects what is owed from it. */
export async function bookRelease(deps: BookDeps, trx: Trx, clearing: Clearing, leftHeld: number): Promise<void> {
  await lockToCollect(trx, clearing)
  const legs = releaseLegs(clearing, leftHeld)
  if (legs.length > 0) await deps.ledger.postWithin(runIn(trx), [operationOf(clearing, 'reverse', legs)])
  await collectFromCard(deps, trx, clearing)
}

function refundLegs({ payment, card }: Clearing, shares: readonly { credit: AccountId; amountMinor: number }[]): Leg[] {
  const detail = refundDetail(card, payment)
  return shares.flatMap((to) =>
    to.amountMinor > 0 ? [{ kind: 'transfer' as const, debit: bankAccount('card_scheme'), ...to, detail }] : [],
  )
}

/**
 * What of a refund goes where: what the bank paid for the customer comes back first, whether they still owe it or it was
 * lost, and they get the rest.
 */
type RefundShares = { toBank: number; toCustomer: number }

/** Books what a shop gives back. For a customer who has closed it is kept as owed to them. */
async function bookRefund(deps: BookDeps, trx: Trx, clearing: Clearing, amountMinor: number): Promise<RefundShares> {
  const { payment, card } = clearing
  await lockToCollect(trx, clearing)
  const toBank = Math.min(amountMinor, payment.lost_minor)
  const debts = await payingDebts(deps, trx, clearing, amountMinor - toBank)
  const toDebt = debts.shares.reduce((sum, { paidMinor }) => sum + paidMinor, 0)
  const toCustomer = amountMinor - toBank - toDebt
  const operation = (account: AccountId): Operation =>
    operationOf(
      clearing,
      'refund',
      refundLegs(clearing, [
        { credit: account, amountMinor: toCustomer },
        { credit: debts.accountId, amountMinor: toDebt },
        { credit: bankAccount('card_losses'), amountMinor: toBank },
      ]),
    )
  try {
    await deps.ledger.postWithin(runIn(trx), [operation(card.accountId)])
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'account_closed') throw error
    await deps.ledger.postWithin(runIn(trx), [operation(bankAccount('unclaimed_payments'))])
    deps.log.error(
      { operationId: operation(card.accountId).id },
      'a card payment was refunded whose customer has closed',
    )
  }
  await lessen(trx, debts.shares)
  await collectFromCard(deps, trx, clearing)
  return { toBank, toCustomer }
}

/** What is still owed of a payment, locked with the accounts if there is any, and how it is shared out. */
async function payingDebts(deps: BookDeps, trx: Trx, { payment, card }: Clearing, amountMinor: number) {
  const none = { accountId: 0, shares: [] as ReturnType<typeof sharesOf> }
  if (amountMinor === 0 || !(await leftOf(trx, [payment.id])).get(payment.id)) return none
  const { customerId } = card
  const purse = await openPurse(deps, trx, { customerId, bankAccounts: [bankAccount('card_scheme')] })
  if (!purse || purse.owedAccountId === null) return none
  return { accountId: purse.owedAccountId, shares: sharesOf(await lockDebts(trx, customerId, payment.id), amountMinor) }
}

/**
 * Locks all that `collectFromCard` may need, before the card's account is locked by what is booked: accounts are locked in one
 * order, and the current account comes first.
 */
async function lockToCollect(trx: Trx, { card }: Pick<Clearing, 'card'>): Promise<void> {
  const { customerId, kind } = card
  if (kind !== 'main' && (await owedOnCurrent(runIn(trx), customerId)) > 0)
    await lockAccountsOf(runIn(trx), customerId, [bankAccount('card_scheme'), bankAccount('card_losses')])
}

/**
 * Collects what is owed from a virtual card that has money again: of the current account it cannot be spent. Accounts are
 * locked by `lockToCollect` before.
 */
async function collectFromCard(deps: BookDeps, trx: Trx, { card }: Pick<Clearing, 'card'>): Promise<void> {
  if (card.kind !== 'main') await collectAfter(deps, trx, card.customerId)
}
