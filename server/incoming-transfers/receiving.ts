import type { Transaction } from 'kysely'
import { stripSeparators } from '#contract/bank-numbers.ts'
import { Refusal } from '#contract/errors.ts'
import { fold } from '#contract/folding.ts'
import type { SentBackReason } from '#contract/incoming-transfers.ts'
import { accountIdOf } from '#server/account-details/number.ts'
import { type Customer, findCustomers } from '#server/identity/customers/customers.ts'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import { sendBack } from '#server/incoming-transfers/sending-back.ts'
import {
  addTransfer,
  holdTransfer,
  lockTransfer,
  stepOf,
  type TransferMessage,
  type TransferRow,
} from '#server/incoming-transfers/transfer.ts'
import { accountsById } from '#server/ledger/accounts.ts'
import type { Operation } from '#server/ledger/types.ts'
import { unverifiedLimitOf, countLimitUse } from '#server/limits/unverified-limits.ts'
import { checkBalanceLimit } from '#server/limits/service.ts'
import { notify } from '#server/notifications/service.ts'
import { incomingOperation } from '#server/payments/incoming.ts'
import { salaryNote } from '#server/payments/sample-history.ts'
import { inTransaction, runIn, runOn } from '#server/platform/db/run.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { recordEvent } from '#server/rails/record-event.ts'

type Trx = Transaction<Database>
type ReceivingDeps = Pick<
  Deps,
  'clock' | 'config' | 'db' | 'events' | 'ledger' | 'log' | 'policy' | 'pool' | 'translations'
>

/** A transfer from another bank. */
type Transfer = TransferMessage & {
  accountNumber: string
  payerName: string
  reference: string | null
  purpose: 'salary' | 'other'
}

/** The customer that an account number belongs to, or the reason why the transfer goes back. */
type Payee = { customer: Customer } | { reason: SentBackReason }

/** The refusals of a credit that send the money back, with the reason for each. */
const REASONS = new Map<string, SentBackReason>([
  ['account_closed', 'account_closed'],
  ['balance_limit_reached', 'balance_limit'],
  ['limit_reached', 'unverified_limit'],
])

/**
 * Receives a transfer once for its id, even if events arrive repeatedly or out of order. The amount is credited to the
 * customer's account. If this is not possible, the amount is held until it is sent back. Throws Refusal `collection_mismatch`
 * if a transfer with this id has other details.
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
  const accountId = accountIdOf(config, stripSeparators(accountNumber))
  if (accountId === null) return { reason: 'account_number_invalid' }
  const [account] = await accountsById(runOn(pool), [accountId])
  const id = account?.code === 'current' ? account.holderId : null
  const customer = id === null ? undefined : (await findCustomers({ pool }, [id])).get(id)
  return customer ? { customer } : { reason: 'account_not_found' }
}

/**
 * Records a transfer and its event, and returns whether the transfer is new. Throws a Refusal if a known transfer has other
 * details, even if the event was recorded before.
 */
async function isNew(deps: ReceivingDeps, trx: Trx, transfer: Transfer, row: Partial<TransferRow>): Promise<boolean> {
  const { event, id, amountMinor, asset, rail, accountNumber, payerName, reference } = transfer
  const addedTransfer = await addTransfer(trx, {
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
  if (!addedTransfer) refuseOther(await lockTransfer(trx, id), transfer)
  if (event) await recordEvent(deps, trx, event)
  return addedTransfer
}

/**
 * Throws Refusal `collection_mismatch` if a stored transfer differs. If a recall arrived before the transfer, only the amount
 * and the rail are stored and compared.
 */
function refuseOther(existing: TransferRow | null, transfer: Transfer): void {
  const { amountMinor, accountNumber, payerName, reference, rail } = transfer
  const isSame =
    existing?.amount_minor === amountMinor &&
    existing.rail === rail &&
    (existing.payer_name === null ||
      (existing.payer_name === payerName &&
        existing.account_number === accountNumber &&
        existing.reference === reference))
  if (!isSame) throw new Refusal('collection_mismatch', 'id')
}

/**
 * Credits a transfer. Throws a Refusal of REASONS if the account cannot take it; the caller's transaction is then rolled back.
 */
async function credit(deps: ReceivingDeps, trx: Trx, transfer: Transfer, customer: Customer): Promise<void> {
  const { id: customerId, currentAccountId: accountId } = customer
  if (!(await isNew(deps, trx, transfer, { customer_id: customerId, account_id: accountId }))) return
  // This lock is held until the transaction ends, so that other simultaneous payments to the customer see this one in their
  // limits.
  if (!(await lockCustomer(trx, customerId))) throw new Refusal('account_closed')
  const { amountMinor, asset, payerName: name } = transfer
  const operation = creditOf(deps, transfer, customer)
  const use = { customer, direction: 'in', amountMinor } as const
  const allowanceMinor = unverifiedLimitOf(deps, use)
  if (allowanceMinor !== null) await countLimitUse(trx, use, operation, allowanceMinor)
  await deps.ledger.postWithin(runIn(trx), [operation])
  await checkBalanceLimit(deps, trx, accountId)
  const params = { amountMinor, asset, name, transactionId: operation.id }
  await notify(deps, trx, { customerId, kind: 'payment_received', params })
}

/** Builds the operation of the credit. It has the payer's name, like the salary of a sample customer. */
function creditOf(deps: ReceivingDeps, transfer: Transfer, customer: Customer): Operation {
  const { id, amountMinor, payerName, reference, purpose } = transfer
  const step = stepOf(deps, id, 'credit')
  const translator = deps.translations.in(customer.language)
  const note = reference ?? (purpose === 'salary' ? salaryNote(translator) : null)
  const isOwn = fold(payerName) === fold(customer.fullName)
  return {
    ...incomingOperation({
      accountId: customer.currentAccountId,
      payerName,
      amountMinor,
      bookedAt: step.bookedAt,
      // A customer's own money from another bank is not income.
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
    const holderColumns = { customer_id: customer?.id ?? null, account_id: customer?.currentAccountId ?? null }
    if (!(await isNew(deps, trx, transfer, { ...holderColumns, status: 'held', reason }))) return
    await holdTransfer(deps, trx, { id, amount_minor: amountMinor })
    await enqueue(trx, sendBack, { id }, { key: `${sendBack.name}:${id}`, queue: sendBack.name })
    deps.log.warn({ id, reason }, 'a transfer could not be credited and goes back')
    if (customer && (reason === 'balance_limit' || reason === 'unverified_limit')) {
      const params = { amountMinor, asset, name, limit: reason }
      await notify(deps, trx, { customerId: customer.id, kind: 'transfer_sent_back', params })
    }
  })
}
