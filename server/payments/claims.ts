import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSweep } from '#server/platform/jobs/sweep.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import { type Claim, CLAIM_DAYS } from '#contract/payments.ts'
import type { Transaction } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { type Selectable, sql, type Transaction as SqlTransaction } from 'kysely'
import { z } from 'zod'
import { transactionOfBooked } from '#server/accounts/transaction.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import type { ContactAddress } from '#server/identity/customers/contact.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { dequeue, enqueue } from '#server/platform/jobs/queue.ts'
import type { WaitingMoney } from '#server/platform/slice.ts'
import { giveBackLimitUse } from '#server/limits/unverified-limits.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { BookedOperation, Operation } from '#server/ledger/types.ts'
import { postLimited, tryLimited } from '#server/limits/service.ts'
import { notify } from '#server/notifications/service.ts'
import { enqueueClaimMail } from '#server/payments/claim-mail.ts'
import { operationOfClaimToken } from '#server/accounts/claim-link.ts'
import { operationIdentity, type Payment, paymentDetail } from '#server/payments/payment.ts'
import { enqueueEarnPoints } from '#server/rewards/earning.ts'
import type { Database } from '#server/platform/db/schema.ts'

type ClaimRow = Selectable<Database['bank.claim']>

const expiryJobKey = (operationId: string) => `${expireClaimJob.name}:${operationId}`

/**
 * The maximum number of payments that a customer may make to people who are not customers in 24 hours. Each payment may send an
 * unwanted mail.
 */
export const MAX_CLAIMS_A_DAY = 50

/**
 * Holds a payment for a person who is not a customer. One commit contains the hold, the claim, the job that mails the link to
 * an email address (a phone gets none), and the job that returns the money after seven days. Throws Refusal
 * `amount_too_large`, the ledger's refusals, `limit_reached` for a sender who is not verified, and last `too_many_requests`. A
 * sender without enough money gets the same refusal for every recipient, so that the refusal does not reveal who is a
 * customer. `more` is the caller's work in the same SQL transaction.
 */
export async function holdForNonCustomer(
  deps: Deps,
  payment: Payment,
  address: ContactAddress,
  more?: (trx: SqlTransaction<Database>) => Promise<void>,
): Promise<BookedOperation> {
  const { sender, send } = payment
  const bookedAt = deps.clock.businessNow()
  const expiresAt = new Date(bookedAt.getTime() + CLAIM_DAYS * DAY_MS)
  const { amountMinor, asset } = send
  const credit = bankAccount('unclaimed_payments', asset)
  const detail = paymentDetail(payment.debitName, sender.fullName, send.note)
  const operation: Operation = {
    ...operationIdentity(payment.key),
    kind: 'payment.hold',
    bookedAt,
    legs: [{ kind: 'hold', debit: sender.currentAccountId, credit, amountMinor, detail, expiresAt }],
  }
  const limitUse = { customer: sender, direction: 'out', amountMinor } as const
  // A refusal must take the same time for every recipient, so that the time does not reveal who is a customer.
  await tryLimited(deps, limitUse, operation)
  return postLimited(deps, limitUse, operation, {
    also: async (trx) => {
      await limitClaims(trx, sender, bookedAt)
      await trx
        .insertInto('bank.claim')
        .values({
          operation_id: operation.id,
          sender_id: sender.id,
          sender_account_id: sender.currentAccountId,
          sender_name: sender.fullName,
          recipient: payment.debitName,
          amount_minor: amountMinor,
          asset,
          note: send.note ?? null,
          expires_at: expiresAt,
        })
        .execute()
      const expiry = { at: expiresAt, key: expiryJobKey(operation.id) }
      await enqueue(trx, expireClaimJob, { operationId: operation.id }, expiry)
      if (address.kind === 'email') await enqueueClaimMail(trx, { operationId: operation.id, to: address.value })
      await more?.(trx)
    },
  })
}

/**
 * Throws Refusal `too_many_requests` above the sender's daily number of claims. The posting has locked the sender's account, so
 * the sender's other payments are counted one after the other.
 */
async function limitClaims(trx: SqlTransaction<Database>, sender: Customer, now: Date): Promise<void> {
  const recentClaims = await trx
    .selectFrom('bank.claim')
    .select('operation_id')
    .where('sender_id', '=', sender.id)
    .where('expires_at', '>', new Date(now.getTime() + (CLAIM_DAYS - 1) * DAY_MS))
    .limit(MAX_CLAIMS_A_DAY)
    .execute()
  if (recentClaims.length === MAX_CLAIMS_A_DAY) throw new Refusal('too_many_requests')
}

/**
 * Returns the held payment as shown to a person who has its link. Throws Refusal `claim_not_found` for a token that the bank
 * did not make.
 */
export async function readClaim(
  deps: Pick<Deps, 'db' | 'config' | 'clock'>,
  token: string,
  reader: Pick<Customer, 'id'> | null,
): Promise<Claim> {
  const claim = await claimOfToken(deps, token)
  return {
    senderName: claim.sender_name,
    amountMinor: claim.amount_minor,
    asset: claim.asset,
    note: claim.note,
    status: claim.status === 'claimed' ? 'claimed' : isOpen(deps, claim) ? 'open' : 'returned',
    expiresAt: claim.expires_at.toISOString(),
    own: claim.sender_id === reader?.id,
  }
}

/**
 * Returns a customer's payments to people who are not customers, by operation. `after` is the last one of the previous page.
 */
export async function claimsOf(
  deps: Pick<Deps, 'db'>,
  senderId: string,
  { after, limit }: { after: string | null; limit: number },
) {
  let query = deps.db.selectFrom('bank.claim').selectAll().where('sender_id', '=', senderId)
  if (after) query = query.where('operation_id', '>', after)
  const rows = await query.orderBy('operation_id').limit(limit).execute()
  return rows.map((claim) => ({
    operationId: claim.operation_id,
    recipient: claim.recipient,
    amountMinor: claim.amount_minor,
    asset: claim.asset,
    note: claim.note,
    status: claim.status,
    expiresAt: claim.expires_at.toISOString(),
    closedAt: claim.closed_at?.toISOString() ?? null,
  }))
}

/** Whether a payment can still be claimed. An expired claim cannot be claimed, even before the job runs. */
function isOpen(deps: Pick<Deps, 'clock'>, claim: ClaimRow): boolean {
  return claim.status === 'open' && deps.clock.businessNow() < claim.expires_at
}

async function claimOfToken(deps: Pick<Deps, 'db' | 'config'>, token: string): Promise<ClaimRow> {
  const operationId = operationOfClaimToken(deps.config, token)
  const claim = operationId && (await findClaim(deps, operationId))
  if (!claim) throw new Refusal('claim_not_found')
  return claim
}

function findClaim(deps: Pick<Deps, 'db'>, operationId: string): Promise<ClaimRow | undefined> {
  return deps.db.selectFrom('bank.claim').selectAll().where('operation_id', '=', operationId).executeTakeFirst()
}

/**
 * Pays a held payment into the current account of the customer who has the link. One operation posts the hold and moves the
 * money on. Throws Refusal `claim_not_found`, `claim_is_own`, or `claim_not_open` if the payment was claimed or canceled or has
 * expired.
 */
export async function claimPayment(
  deps: Deps,
  claimant: Customer,
  token: string,
  key: RequestKey,
): Promise<Transaction> {
  const claim = await claimOfToken(deps, token)
  if (claim.sender_id === claimant.id) throw new Refusal('claim_is_own')
  if (!isOpen(deps, claim)) throw new Refusal('claim_not_open')
  const debit = bankAccount('unclaimed_payments', claim.asset)
  const credit = claimant.currentAccountId
  const operation: Operation = {
    id: key.operationId,
    kind: 'payment.claim',
    fingerprint: key.fingerprint,
    bookedAt: deps.clock.businessNow(),
    legs: [
      { kind: 'post', holdId: claim.operation_id },
      { kind: 'transfer', debit, credit, amountMinor: claim.amount_minor, detail: detailOf(claim) },
    ],
  }
  const booked = await closeClaim(deps, claim, operation, { status: 'claimed', claimed_by: claimant.id })
  return transactionOfBooked(booked, credit)
}

/**
 * Returns an unclaimed payment to its sender. Throws Refusal `transaction_not_found` if the sender has no such payment with a
 * claim, and `claim_not_open` if the payment was already claimed, canceled or returned after its expiry.
 */
export async function cancelTransfer(
  deps: Deps,
  sender: Customer,
  operationId: string,
  key: RequestKey,
): Promise<Transaction> {
  const claim = await findClaim(deps, operationId)
  if (claim?.sender_id !== sender.id) throw new Refusal('transaction_not_found')
  const operation = voidOperation(deps, claim, {
    id: key.operationId,
    kind: 'payment.cancel',
    fingerprint: key.fingerprint,
  })
  const booked = await closeClaim(deps, claim, operation, { status: 'cancelled' })
  return transactionOfBooked(booked, claim.sender_account_id)
}

/** Returns the money of an expired claim. A repetition changes nothing. */
async function expireClaim(deps: Deps, { operationId }: { operationId: string }): Promise<void> {
  const claim = await findClaim(deps, operationId)
  if (claim?.status !== 'open') return
  const operation = voidOperation(deps, claim, {
    ...derivedIdentity('payments', operationId, 'expire'),
    kind: 'payment.expire',
    fingerprint: fingerprintOf('payment.expire', operationId),
  })
  try {
    await closeClaim(deps, claim, operation, { status: 'expired' })
  } catch (error) {
    // The payment was claimed or canceled in the meantime, so there is nothing to return.
    if (!(error instanceof Refusal && error.code === 'claim_not_open')) throw error
  }
}

export const expireClaimJob = defineJob({
  name: 'payments.expire_claim',
  payload: z.object({ operationId: z.uuid() }),
  work: expireClaim,
})

function overdueQuery({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  return db
    .selectFrom('bank.claim')
    .where('status', '=', sql.lit('open'))
    .where('expires_at', '<=', clock.businessNow())
}

function overdueClaimsAfter(deps: Pick<Deps, 'db' | 'clock'>, after: { id: string } | null): Promise<{ id: string }[]> {
  let query = overdueQuery(deps).select('operation_id as id')
  if (after) query = query.where('operation_id', '>', after.id)
  return query.orderBy('operation_id').limit(PAGE_SIZE).execute()
}

/** Returns the money of overdue claims whose own job is lost or no longer retried. */
export const overdueClaims = {
  job: defineSweep({
    name: 'payments.expire_overdue_claims',
    everyMinutes: 5,
    find: overdueClaimsAfter,
    work: (deps, { id }) => expireClaim(deps, { operationId: id }),
    failed: 'an overdue claim could not be given back',
  }),
  waiting: {
    name: 'unclaimed payments that were not returned in time',
    overdueSince: async (deps) => {
      const row = await overdueQuery(deps)
        .select((oldest) => oldest.fn.min('expires_at').as('at'))
        .executeTakeFirst()
      return row?.at ?? null
    },
  } satisfies WaitingMoney,
}

type VoidedBy = Pick<Operation, 'id' | 'derivedFrom' | 'kind' | 'fingerprint'>

function voidOperation(deps: Pick<Deps, 'clock'>, claim: ClaimRow, by: VoidedBy): Operation {
  const legs: Operation['legs'] = [{ kind: 'void', holdId: claim.operation_id }]
  return { ...by, bookedAt: deps.clock.businessNow(), legs }
}

const detailOf = (claim: ClaimRow) => paymentDetail(claim.recipient, claim.sender_name, claim.note)

type Closing = { status: 'claimed'; claimed_by: string } | { status: 'cancelled' | 'expired' }

/**
 * Ends a claim. The ledger decides which of several attempts was first: it posts or voids a hold once, under the lock of the
 * accounts, and refuses every other attempt.
 */
function closeClaim(deps: Deps, claim: ClaimRow, operation: Operation, closing: Closing): Promise<BookedOperation> {
  const markClaimed = async (trx: SqlTransaction<Database>, { bookedAt }: BookedOperation): Promise<void> => {
    await trx
      .updateTable('bank.claim')
      .set({ ...closing, closed_at: bookedAt })
      .where('operation_id', '=', claim.operation_id)
      .execute()
    if (closing.status !== 'expired') await dequeue(trx, expiryJobKey(claim.operation_id))
    if (closing.status === 'claimed') await earnForClaim(trx, claim, closing.claimed_by, bookedAt)
    const params = { amountMinor: claim.amount_minor, asset: claim.asset, name: claim.recipient }
    if (closing.status === 'cancelled') await giveBackLimitUse(deps, trx, claim.operation_id)
    else await notify(deps, trx, { customerId: claim.sender_id, kind: `payment_${closing.status}`, params })
  }
  return applied(deps.ledger.postWithRows({ customerId: claim.sender_id, operation, also: markClaimed }))
}

/** Queues the sender's points for the payment, because the recipient is now a customer. */
function earnForClaim(trx: SqlTransaction<Database>, claim: ClaimRow, recipientId: string, at: Date): Promise<void> {
  const { operation_id: causeId, sender_id: customerId, amount_minor: amountMinor, recipient: name } = claim
  return enqueueEarnPoints(trx, { kind: 'send', causeId, customerId, recipientId, amountMinor, name, at })
}

async function applied(posting: Promise<BookedOperation>): Promise<BookedOperation> {
  try {
    return await posting
  } catch (error) {
    if (error instanceof Refusal && error.code === 'hold_not_open') throw new Refusal('claim_not_open')
    throw error
  }
}
