import type { Transaction } from 'kysely'
import { digitsOf } from '#contract/bank-numbers.ts'
import { Refusal } from '#contract/errors.ts'
import { fold } from '#contract/folding.ts'
import type { SentBackReason } from '#contract/incoming-transfers.ts'
import { accountIdOf } from '#server/account-details/number.ts'
import { type Customer, findCustomers } from '#server/identity/customers/customers.ts'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import { sendBack } from '#server/incoming-transfers/sending-back.ts'
import {
  addTransfer,
  hold,
  lockTransfer,
  stepOf,
  type Told,
  type TransferRow,
} from '#server/incoming-transfers/transfer.ts'
import { accountsById } from '#server/ledger/accounts.ts'
import type { Operation } from '#server/ledger/types.ts'
import { allowanceOf, countUse } from '#server/limits/allowance.ts'
import { checkBalanceLimit } from '#server/limits/service.ts'
import { notify } from '#server/notifications/service.ts'
import { incomingOperation } from '#server/payments/incoming.ts'
import { salaryNote } from '#server/payments/story.ts'
import { inTransaction, runIn, runOn } from '#server/platform/db/run.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { noteEvent } from '#server/rails/noted-events.ts'

type Trx = Transaction<Database>
type ReceivingDeps = Pick<
  Deps,
  'clock' | 'config' | 'db' | 'events' | 'ledger' | 'log' | 'policy' | 'pool' | 'translations'
>

/** Money that another bank has sent. */
type Transfer = Told & {
  accountNumber: string
  payerName: string
  reference: string | null
  purpose: 'salary' | 'other'
}

/** Whom a number belongs to, or why it is nobody's. */
type Payee = { customer: Customer } | { reason: SentBackReason }

/** Which refusals of the credit mean that the money has to go back, and why. */
const REASONS = new Map<string, SentBackReason>([
  ['account_closed', 'account_closed'],
  ['balance_limit_reached', 'balance_limit'],
  ['limit_reached', 'unverified_limit'],
])

/**
 * Takes in what another bank has sent, once for its id, whatever is told and in whichever order: it is credited to the account or,
 * where that cannot be, held until it has gone back. Throws Refusal `collection_mismatch` where it is known otherwise.
 */
export async function receiveTransfer(deps: ReceivingDeps, transfer: Transfer): Promise<void> {
  const payee = await payeeOf(deps, transfer)
  if ('reason' in payee) return holdBack(deps, transfer, payee)
  const { customer } = payee
  try {
    await inTransaction(deps.db, (trx) => credit(deps, trx, transfer, customer))
  } catch (error) {
    const reason = error instanceof Refusal ? REASONS.get(error.code) : undefined
    if (reason === undefined) throw error
    await holdBack(deps, transfer, { customer, reason })
  }
}

async function payeeOf({ config, pool }: Pick<Deps, 'config' | 'pool'>, { accountNumber }: Transfer): Promise<Payee> {
  const accountId = accountIdOf(config, digitsOf(accountNumber))
  if (accountId === null) return { reason: 'account_number_invalid' }
  const [account] = await accountsById(runOn(pool), [accountId])
  const id = account?.code === 'current' ? account.holderId : null
  const customer = id === null ? undefined : (await findCustomers({ pool }, [id])).get(id)
  return customer ? { customer } : { reason: 'account_not_found' }
}

/**
 * Writes the transfer down and notes the event. Answers whether there is anything to do: each is done once. What says something
 * else is refused under the name of an event that was noted, too.
 */
async function isNew(deps: ReceivingDeps, trx: Trx, transfer: Transfer, row: Partial<TransferRow>): Promise<boolean> {
  const { event, id, amountMinor, asset, rail, accountNumber, payerName, reference } = transfer
  const added = await addTransfer(trx, {
    id,
    customer_id: null,
    account_id: null,
    account_number: accountNumber,
    payer_name: payerName,
    reference,
    amount_minor: amountMinor,
    asset,
    rail,
    status: 'credited',
    reason: null,
    received_at: deps.clock.businessNow(),
    ...row,
  })
  if (!added) refuseOther(await lockTransfer(trx, id), transfer)
  if (event) await noteEvent(deps, trx, event)
  return added
}

/** One that was recalled before it was told of says nothing but its amount. */
function refuseOther(known: TransferRow | null, transfer: Transfer): void {
  const { amountMinor, accountNumber, payerName, reference, rail } = transfer
  const isSame =
    known?.amount_minor === amountMinor &&
    known.rail === rail &&
    (known.payer_name === null ||
      (known.payer_name === payerName && known.account_number === accountNumber && known.reference === reference))
  if (!isSame) throw new Refusal('collection_mismatch', 'id')
}

/** Throws a Refusal of REASONS where the account cannot take it: nothing has happened then. */
async function credit(deps: ReceivingDeps, trx: Trx, transfer: Transfer, customer: Customer): Promise<void> {
  const { id: customerId, currentAccountId: accountId } = customer
  if (!(await isNew(deps, trx, transfer, { customer_id: customerId, account_id: accountId }))) return
  // Held until the end: whatever else they move at this moment is counted after this.
  if (!(await lockCustomer(trx, customerId))) throw new Refusal('account_closed')
  const { amountMinor, asset, payerName: name } = transfer
  const operation = creditOf(deps, transfer, customer)
  const use = { customer, direction: 'in', amountMinor } as const
  const allowanceMinor = allowanceOf(deps, use)
  if (allowanceMinor !== null) await countUse(trx, use, operation, allowanceMinor)
  await deps.ledger.postWithin(runIn(trx), [operation])
  await checkBalanceLimit(deps, trx, accountId)
  const params = { amountMinor, asset, name, transactionId: operation.id }
  await notify(deps, trx, { customerId, kind: 'payment_received', params })
}

/** It reads as a salary does that the sample's employer pays: income, by who pays it. */
function creditOf(deps: ReceivingDeps, transfer: Transfer, customer: Customer): Operation {
  const { id, amountMinor, payerName, reference, purpose } = transfer
  const step = stepOf(deps, id, 'credit')
  const say = deps.translations.in(customer.language)
  const note = reference ?? (purpose === 'salary' ? salaryNote(say) : null)
  const isOwn = fold(payerName) === fold(customer.fullName)
  return {
    ...incomingOperation({
      accountId: customer.currentAccountId,
      payerName,
      amountMinor,
      bookedAt: step.bookedAt,
      // Their own money that comes from elsewhere is no income.
      category: isOwn && purpose !== 'salary' ? 'top_up' : 'income',
      ...(note === null ? {} : { note }),
    }),
    ...step,
  }
}

async function holdBack(
  deps: ReceivingDeps,
  transfer: Transfer,
  { customer, reason }: { customer?: Customer; reason: SentBackReason },
): Promise<void> {
  const { id, amountMinor, asset, payerName: name } = transfer
  await inTransaction(deps.db, async (trx) => {
    const of = { customer_id: customer?.id ?? null, account_id: customer?.currentAccountId ?? null }
    if (!(await isNew(deps, trx, transfer, { ...of, status: 'held', reason }))) return
    await hold(deps, trx, { id, amount_minor: amountMinor })
    await enqueue(trx, sendBack, { id }, { key: `${sendBack.name}:${id}`, queue: sendBack.name })
    deps.log.warn({ id, reason }, 'a transfer could not be credited and goes back')
    if (customer && (reason === 'balance_limit' || reason === 'unverified_limit')) {
      const params = { amountMinor, asset, name, limit: reason }
      await notify(deps, trx, { customerId: customer.id, kind: 'transfer_sent_back', params })
    }
  })
}
