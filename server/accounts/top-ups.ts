import { z } from 'zod'
import type { TopUpMethod, topUpRequest, Transaction } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { formatAmount } from '#contract/money.ts'
import { settlementOf } from '#server/accounts/settlement.ts'
import { transactionOfBooked } from '#server/accounts/transaction.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { postWithinAllowance, postWithinAllowanceIn } from '#server/limits/allowance.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derivedId } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { Booked, Detail, Operation } from '#server/ledger/types.ts'
import { notify } from '#server/notifications/service.ts'

const settlement = z.object({ operationId: z.uuid(), customerId: z.uuid(), amountMinor: z.int() })

/** Which of the bank's own accounts the money comes through, and how the payment reads. */
const ROUTES = {
  card: { account: 'card_acquiring', name: 'Card top-up', method: 'Card' },
  bank: { account: 'ach_clearing', name: 'Bank top-up', method: 'Bank transfer' },
  wallet: { account: 'wallet_clearing', name: 'Wallet top-up', method: 'Digital wallet' },
} as const satisfies Record<TopUpMethod, object>

type TopUp = z.infer<typeof topUpRequest>
/** `settlesAt`: business time, null where the money is there already. */
export type TopUpAnswer = { transaction: Transaction; settlesAt: string | null }

/**
 * Adds `amountMinor` US cents to a customer's current account: at once by card or wallet, after one to two business
 * days from a bank. Throws what the ledger refuses, and `limit_reached` for a customer who is not verified.
 */
export async function topUp(deps: Deps, customer: Customer, request: TopUp, key: RequestKey): Promise<TopUpAnswer> {
  const add = request.method === 'bank' ? awaitArrival : addNow
  return topUpAnswer(await add(deps, customer, request, key), customer)
}

/** What a top-up was answered, from what was booked. */
export function topUpAnswer(booked: Booked, customer: Pick<Customer, 'currentAccountId'>): TopUpAnswer {
  return {
    transaction: transactionOfBooked(booked, customer.currentAccountId),
    settlesAt: booked.detail.settlesAt?.toISOString() ?? null,
  }
}

function addNow(
  deps: Deps,
  customer: Customer,
  { method, asset, amountMinor }: TopUp,
  key: RequestKey,
): Promise<Booked> {
  const debit = bankAccount(ROUTES[method].account, asset)
  const use = { customer, direction: 'in', amountMinor } as const
  return postWithinAllowance(deps, use, {
    id: key.operationId,
    kind: `top_up.${method}`,
    fingerprint: key.fingerprint,
    bookedAt: deps.clock.businessNow(),
    detail: detailOf(method),
    legs: [{ kind: 'transfer', debit, credit: customer.currentAccountId, amountMinor }],
  })
}

/** Money on its way from another bank: a hold on the clearing account, and the job that books it when it is due. */
async function awaitArrival(deps: Deps, customer: Customer, request: TopUp, key: RequestKey): Promise<Booked> {
  const { method, asset, amountMinor } = request
  const bookedAt = deps.clock.businessNow()
  const settlesAt = settlementOf(bookedAt)
  const debit = bankAccount(ROUTES[method].account, asset)
  const operation: Operation = {
    id: key.operationId,
    kind: `top_up.${method}`,
    fingerprint: key.fingerprint,
    bookedAt,
    detail: { ...detailOf(method), settlesAt },
    legs: [{ kind: 'hold', debit, credit: customer.currentAccountId, amountMinor }],
  }
  return inTransaction(deps.db, async (_trx, run) => {
    const booked = await postWithinAllowanceIn(deps, run, { customer, direction: 'in', amountMinor }, operation)
    if (booked.replayed) return booked
    const payload = { operationId: operation.id, customerId: customer.id, amountMinor }
    await enqueue(run, settleTopUpJob, payload, { at: settlesAt, key: `${settleTopUpJob.name}:${operation.id}` })
    return booked
  })
}

function detailOf(method: TopUpMethod): Detail {
  return { creditName: ROUTES[method].name, category: 'top_up', method: ROUTES[method].method }
}

/**
 * Books a bank top-up that has arrived. The operation's id follows from the hold's, so the ledger books it
 * once however often the job runs.
 */
async function settleTopUp(
  deps: Deps,
  { operationId, customerId, amountMinor }: z.infer<typeof settlement>,
): Promise<void> {
  const operation: Operation = {
    id: derivedId(operationId, 'settle'),
    kind: 'top_up.settle',
    fingerprint: fingerprintOf('top_up.settle', operationId),
    bookedAt: deps.clock.businessNow(),
    detail: detailOf('bank'),
    legs: [{ kind: 'post', holdId: operationId }],
  }
  try {
    await inTransaction(deps.db, async (_trx, run) => {
      const [booked] = await deps.ledger.postWithin(run, [operation])
      if (booked?.replayed !== false) return
      const message = `${formatAmount(amountMinor, 'USD')} from your bank is in your account.`
      await notify(deps, run, { customerId, kind: 'top_up_settled', title: 'Money added', message })
    })
  } catch (error) {
    // Sent back by the other bank in the meantime: there is nothing to book.
    if (!(error instanceof Refusal && error.code === 'hold_not_open')) throw error
  }
}

export const settleTopUpJob = defineJob({ name: 'accounts.settle_top_up', payload: settlement, work: settleTopUp })
