import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { type Clearing, paymentDetail, refundDetail } from '#server/card-scheme/payment.ts'
import { lockAccountsOf, owedOnCurrent } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { cardMoveDetail } from '#server/cards/moves.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Leg, Operation } from '#server/ledger/types.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { collectAfter } from '#server/owed/collecting.ts'
import { keepDebt, leftOf, lessen, lockDebts, sharesOf } from '#server/owed/debts.ts'
import { gather, openPurse, owedAccount, type Purse } from '#server/owed/purse.ts'
import { openSettledPurse, type OwedDeps } from '#server/owed/taking.ts'

type Trx = Transaction<Database>
type BookDeps = OwedDeps

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

/** What the operation of a capture is called, and what its line of the statement begins with. */
export function captureNames(clearing: Clearing): { operationId: string; originId: string } {
  const { id: operationId } = operationOf(clearing, CAPTURE, [])
  return { operationId, originId: clearing.payment.hold_id ?? operationId }
}

/**
 * Books what a shop takes: the scheme has promised it. It comes out of the hold, and beyond it from the card's account and
 * then from what else the customer has. What is missing they owe; of a customer who has closed it is the bank's loss, which
 * is answered. `leftHeld` stays held.
 */
export async function bookCapture(
  deps: BookDeps,
  trx: Trx,
  clearing: Clearing,
  taken: { amountMinor: number; leftHeld: number },
): Promise<number> {
  const { payment, card } = clearing
  if (taken.amountMinor <= payment.held_minor) {
    const legs = captureLegs(clearing, { ...taken, paidMinor: taken.amountMinor, missing: null })
    await deps.ledger.postWithin(runIn(trx), [operationOf(clearing, CAPTURE, legs)])
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
  const operation = operationOf(clearing, CAPTURE, [
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

/** Releases what is held down to `leftHeld`. Answers the hold that is left. */
export async function bookRelease(
  { ledger }: Pick<Deps, 'ledger'>,
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

/**
 * What of a refund goes where: what the bank paid for the customer comes back first, whether they still owe it or it was
 * lost, and they get the rest.
 */
export type RefundShares = { toBank: number; toDebt: number; toCustomer: number }

/** Books what a shop gives back. For a customer who has closed it is kept as owed to them. Answers the operation. */
export async function bookRefund(
  deps: BookDeps,
  trx: Trx,
  clearing: Clearing,
  amountMinor: number,
): Promise<RefundShares & { refundId: string }> {
  const { payment, card } = clearing
  await lockToCollect(trx, clearing)
  const toBank = Math.min(amountMinor, payment.lost_minor)
  const debts = await payingDebts(deps, trx, clearing, amountMinor - toBank)
  const toDebt = debts.shares.reduce((sum, { paidMinor }) => sum + paidMinor, 0)
  const toCustomer = amountMinor - toBank - toDebt
  const detail = refundDetail(card, payment)
  const operation = (account: AccountId): Operation =>
    operationOf(
      clearing,
      'card.refund',
      [
        { credit: account, amountMinor: toCustomer },
        { credit: debts.accountId, amountMinor: toDebt },
        { credit: bankAccount('card_losses'), amountMinor: toBank },
      ].flatMap((to) =>
        to.amountMinor > 0 ? [{ kind: 'transfer' as const, debit: bankAccount('card_scheme'), ...to, detail }] : [],
      ),
    )
  const { id: refundId } = operation(card.accountId)
  try {
    await deps.ledger.postWithin(runIn(trx), [operation(card.accountId)])
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'account_closed') throw error
    await deps.ledger.postWithin(runIn(trx), [operation(bankAccount('unclaimed_payments'))])
    deps.log.error({ operationId: refundId }, 'a card payment was refunded whose customer has closed')
  }
  await lessen(trx, debts.shares)
  await collectFromCard(deps, trx, clearing)
  return { toBank, toDebt, toCustomer, refundId }
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
export async function lockToCollect(trx: Trx, { card }: Pick<Clearing, 'card'>): Promise<void> {
  const { customerId, kind } = card
  if (kind !== 'main' && (await owedOnCurrent(runIn(trx), customerId)) > 0)
    await lockAccountsOf(runIn(trx), customerId, [bankAccount('card_scheme'), bankAccount('card_losses')])
}

/**
 * Collects what is owed from a virtual card that has money again: of the current account it cannot be spent. Accounts are
 * locked by `lockToCollect` before.
 */
export async function collectFromCard(deps: BookDeps, trx: Trx, { card }: Pick<Clearing, 'card'>): Promise<void> {
  if (card.kind !== 'main') await collectAfter(deps, trx, card.customerId)
}
