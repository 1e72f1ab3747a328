import type { Transaction } from '#contract/accounts.ts'
import type { TransactionStatus } from '#contract/transaction-status.ts'
import { type Label, type LineName, lineNamed, type Params } from '#contract/line-texts.ts'
import { referenceOf, transactionIdOf } from '#server/accounts/identifiers.ts'
import type { Line } from '#server/ledger/statement.ts'
import type { AccountId, BookedOperation, BookedLeg } from '#server/ledger/types.ts'

/** Converts a statement line to the transaction that the customer sees. */
export function transactionOfLine(line: Line): Transaction {
  return {
    id: line.id,
    transactionId: transactionIdOf(line.originId),
    reference: referenceOf(line.originId),
    name: line.name ?? lineNamed(''),
    amountMinor: line.amountMinor,
    asset: line.asset,
    category: line.category ?? 'transfer',
    status: line.status,
    bookedAt: line.bookedAt.toISOString(),
    paymentMethod: line.method,
    note: line.note,
    balanceAfterMinor: line.balanceAfterMinor,
  }
}

const STATUSES: Record<BookedLeg['kind'], TransactionStatus> = {
  transfer: 'completed',
  post: 'completed',
  hold: 'pending',
  void: 'returned',
}

/** Returns an account's side of a new operation as the transaction list will show it, without a query. */
export function transactionOfBooked(booked: BookedOperation, accountId: AccountId): Transaction {
  const leg = booked.legs.find(({ debit, credit }) => debit === accountId || credit === accountId)
  if (!leg) throw new Error(`Operation ${booked.id} does not touch account ${accountId}`)
  const { debitName, creditName, label, category, method, params = {}, note } = leg.detail
  const outgoing = leg.debit === accountId
  const originId = leg.holdId ?? booked.id
  const balance = outgoing ? leg.debitBalanceMinor : leg.creditBalanceMinor
  // A hold sets an amount aside and a void releases it. In both cases no money moved.
  const unsigned = leg.amountMinor || Math.abs(leg.heldMinor)
  return {
    // The line's id as in server/ledger/statement.ts: the origin's id. From the operation's second leg on, the leg's number
    // follows the id.
    id: leg.holdId === null && leg.leg > 0 ? `${originId}.${leg.leg}` : originId,
    transactionId: transactionIdOf(originId),
    reference: referenceOf(originId),
    name: nameOf((outgoing ? debitName : creditName) ?? null, label, params),
    amountMinor: outgoing ? -unsigned : unsigned,
    asset: leg.asset,
    category: category ?? 'transfer',
    status: STATUSES[leg.kind],
    bookedAt: booked.bookedAt.toISOString(),
    paymentMethod: method ? { code: method, params } : null,
    note: note ?? null,
    balanceAfterMinor: balance === null ? null : Number(balance),
  }
}

function nameOf(name: string | null, label: Label | undefined, params: Params): LineName {
  return name === null && label ? { code: label, params } : lineNamed(name ?? '')
}
