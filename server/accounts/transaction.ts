import type { Transaction } from '#contract/accounts.ts'
import type { TransactionStatus } from '#contract/transaction-status.ts'
import { type Label, type LineName, lineNamed, type Params } from '#contract/wording.ts'
import { referenceOf, transactionIdOf } from '#server/accounts/identifiers.ts'
import type { Line } from '#server/ledger/statement.ts'
import type { AccountId, Booked, BookedLeg } from '#server/ledger/types.ts'

/** A line of the statement, as the customer sees it. */
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

/** An account's side of an operation just booked: what the list will say of it, without asking the database. */
export function transactionOfBooked(booked: Booked, accountId: AccountId): Transaction {
  const leg = booked.legs.find(({ debit, credit }) => debit === accountId || credit === accountId)
  if (!leg) throw new Error(`Operation ${booked.id} does not touch account ${accountId}`)
  const { debitName, creditName, label, category, method, params = {}, note } = leg.detail
  const outgoing = leg.debit === accountId
  const originId = leg.holdId ?? booked.id
  const balance = outgoing ? leg.debitBalanceMinor : leg.creditBalanceMinor
  // A hold sets an amount aside, a void releases it; both name an amount that was not moved.
  const unsigned = leg.amountMinor || Math.abs(leg.heldMinor)
  return {
    // As server/ledger/statement.ts names the line: by its origin, and by the leg where an operation has more.
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
