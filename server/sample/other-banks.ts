import { dayOf } from '#server/calendar/zone.ts'
import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import { Refusal } from '#contract/errors.ts'
import { RETURN_REASONS } from '#contract/linked-accounts.ts'
import type {
  billerRequest,
  billerCollectionResponse,
  otherBanks,
  payoutReturnResponse,
  incomingTransferResponse,
  transferRecallResponse,
  IncomingTransferRequest,
} from '#contract/sample-other-banks.ts'
import { announceDebit } from '#server/direct-debits/announcements.ts'
import { collectAnnounced, readDebit } from '#server/direct-debits/collections.ts'
import { activeMandates, mandatesOf, requestMandate } from '#server/direct-debits/mandates.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { recallTransfer } from '#server/incoming-transfers/recalling.ts'
import { receiveTransfer } from '#server/incoming-transfers/receiving.ts'
import { latestCredited, readTransfer } from '#server/incoming-transfers/transfer.ts'
import { linkedAccountsOf } from '#server/linked-accounts/accounts.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'
import { returnByItself } from '#server/rails/payout-outcomes.ts'
import { arrivalsElsewhere, type Payout, payoutsOf } from '#server/rails/payouts.ts'

/** The largest number of arrivals that are shown. */
const MAX_SHOWN = 10

/** Reads the payments from this bank as the customer's simulated other banks received them. */
export async function readOtherBanks(
  deps: Pick<Deps, 'db' | 'clock'>,
  customerId: string,
): Promise<z.infer<typeof otherBanks>> {
  const [payouts, accounts] = await Promise.all([
    arrivalsElsewhere(deps, customerId, { before: null, limit: MAX_SHOWN }),
    linkedAccountsOf(deps, customerId),
  ])
  const arrivals = payouts
    .filter(({ status }) => status === 'settled')
    .map((payout) => ({
      id: payout.operationId,
      name: payout.name,
      lastFour: accounts.find(({ id }) => id === payout.linkedAccountId)?.lastFour ?? null,
      kind: payout.purpose === 'verification' ? ('deposit' as const) : payout.purpose,
      amountMinor: payout.amountMinor,
      asset: payout.asset,
      arrivedAt: payout.createdAt,
    }))
  return { arrivals }
}

/** Invented billers, with the range of their monthly bills in US cents. */
const BILLERS = [
  { billerName: 'Willow Mobile', fromMinor: 18_00, toMinor: 42_00 },
  { billerName: 'Northgate Water', fromMinor: 24_00, toMinor: 60_00 },
  { billerName: 'Cedar Insurance', fromMinor: 35_00, toMinor: 110_00 },
  { billerName: 'Stonebridge Gym', fromMinor: 29_00, toMinor: 59_00 },
  { billerName: 'Larkfield News', fromMinor: 6_00, toMinor: 15_00 },
] as const

/** Requests a mandate on behalf of an invented biller. Prefers a biller without a mandate of this customer. */
export async function billerAsks(
  deps: Deps,
  customer: Customer,
  key: RequestKey,
): Promise<z.infer<typeof billerRequest>> {
  const billerNames = new Set((await mandatesOf(deps, customer.id)).map(({ billerName }) => billerName))
  const unknown = BILLERS.filter(({ billerName }) => !billerNames.has(billerName))
  const { result } = await runOnce(deps, key, async (trx) => {
    const { billerName, fromMinor, toMinor } = oneOf(unknown.length > 0 ? unknown : BILLERS)
    await requestMandate(deps, trx, customer, {
      billerName,
      reference: `${billerName.slice(0, 3).toUpperCase()}-${randomInt(100_000, 1_000_000)}`,
      category: 'bills',
      // The mandate's limit is twice the usual highest bill, so that a higher bill can be collected too.
      limitMinor: 2 * toMinor,
      bill: { amountMinor: randomInt(fromMinor, toMinor + 1), day: randomInt(1, 29) },
    })
    return { billerName }
  })
  return result
}

/**
 * Collects a biller's monthly bill today or on the next business day. Throws Refusal `mandate_not_active` if the customer has
 * no active mandate, and `debit_repeated` if all active mandates already have a collection on that day.
 */
export async function billerCollects(
  deps: Deps,
  customer: Customer,
  key: RequestKey,
): Promise<z.infer<typeof billerCollectionResponse>> {
  const { result } = await runOnce(deps, key, async (trx) => {
    const mandates = await activeMandates(trx, customer.id)
    if (mandates.length === 0) throw new Refusal('mandate_not_active')
    const dueOn = dayOf(deps.clock.businessNow())
    for (const mandate of mandates) {
      const amountMinor = mandate.bill_minor ?? oneOf(BILLERS).fromMinor
      try {
        return { debitId: await announceDebit(trx, mandate, { dueOn, amountMinor }) }
      } catch (error) {
        if (!(error instanceof Refusal && error.code === 'debit_repeated')) throw error
      }
    }
    throw new Refusal('debit_repeated')
  })
  const { dueAt } = await readDebit(deps, result.debitId)
  if (dueAt <= deps.clock.businessNow()) await collectAnnounced(deps, result.debitId)
  const { billerName, amountMinor, asset, dueOn, status } = await readDebit(deps, result.debitId)
  return { billerName, amountMinor, asset, dueOn, status }
}

/**
 * Lets the other bank return the customer's latest withdrawal for a random reason. Throws Refusal `payout_missing` if there is
 * no withdrawal.
 */
export async function payoutComesBack(
  deps: Deps,
  customer: Customer,
  key: RequestKey,
): Promise<z.infer<typeof payoutReturnResponse>> {
  const payouts = await payoutsOf(deps, customer.id, { before: null, limit: MAX_SHOWN })
  const latest = payouts.find(({ status }) => status === 'pending' || status === 'settled')
  const { result } = await runOnce(deps, key, async () => {
    if (!latest) throw new Refusal('payout_missing')
    return { payout: latest, reason: oneOf(RETURN_REASONS.filter((reason) => reason !== 'refused')) }
  })
  const { payout, reason }: { payout: Payout; reason: (typeof RETURN_REASONS)[number] } = result
  await returnByItself(deps, payout.operationId, reason)
  return { name: payout.name, amountMinor: payout.amountMinor, asset: payout.asset, reason }
}

/** Sends money from another bank to an account number as the sender typed it. */
export async function strangerPaysIn(
  deps: Deps,
  request: IncomingTransferRequest,
  key: RequestKey,
): Promise<z.infer<typeof incomingTransferResponse>> {
  const { reference = null, ...transfer } = request
  // A repeated request is the same transfer.
  await runOnce(deps, key, async () => null)
  const id = key.operationId
  await receiveTransfer(deps, { ...transfer, id, reference, asset: 'USD', purpose: 'other', rail: 'simulated' })
  return { sentBack: (await readTransfer(deps, id)).reason }
}

/**
 * Recalls the customer's latest credited transfer on behalf of the sender's bank. Throws Refusal `transfer_missing` if there is
 * no such transfer.
 */
export async function transferIsRecalled(
  deps: Deps,
  customer: Customer,
  key: RequestKey,
): Promise<z.infer<typeof transferRecallResponse>> {
  const { result: id } = await runOnce(deps, key, async (trx) => {
    const latest = await latestCredited(trx, customer.id)
    if (latest === null) throw new Refusal('transfer_missing')
    return latest
  })
  const { payer_name: name, amount_minor: amountMinor } = await readTransfer(deps, id)
  await recallTransfer(deps, { id, amountMinor, asset: 'USD', rail: 'simulated' })
  return { name: name ?? '', amountMinor, asset: 'USD' }
}

function oneOf<Value>(list: readonly Value[]): Value {
  return list[randomInt(list.length)] as Value
}
