import { DAY_MS } from '#server/platform/durations.ts'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import { randomInt, randomUUID } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { stripSeparators, isAccountNumber, isRoutingNumber } from '#contract/bank-numbers.ts'
import { Refusal } from '#contract/errors.ts'
import {
  type LinkedAccount,
  type LinkRequest,
  VERIFY_DAYS,
  VERIFY_TRIES,
  type VerifyRequest,
} from '#contract/linked-accounts.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { findAccount, lockAccount, linkedAccountStatusOf, toLinkedAccount } from '#server/linked-accounts/accounts.ts'
import { notify } from '#server/notifications/service.ts'
import { isUniqueViolation } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { counterKey } from '#server/platform/http/rate-limit.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'
import { type BankDetails, sealDetails } from '#server/rails/bank-details.ts'
import { hasReturnedDeposit, payVerification } from '#server/rails/payouts.ts'

/** The largest number of linked accounts per customer. */
const MAX_ACCOUNTS = 10
/**
 * The largest number of links in one day for one customer, and for one bank account. For each link the bank sends two deposits.
 */
const LINKS_A_DAY = 3
/** The largest number of links in one year for one customer. The daily limit alone would allow too many deposits in a year. */
const LINKS_A_YEAR = 20
/** The largest amount of a deposit, in US cents. */
const MAX_CENTS = 99

/**
 * Links an account at another bank and sends it the two deposits that verify it. Throws Refusal `routing_number_invalid`,
 * `account_number_invalid`, `account_not_external` if the account is at this bank, `account_linked` if it is linked already,
 * `accounts_full`, `method_unavailable` in a bank without a rail, and `too_many_requests` after too many links in a day or a
 * year. Throws `not_found` if a request is repeated after its account was removed.
 */
export async function linkAccount(
  deps: Deps,
  customer: Customer,
  request: LinkRequest,
  key: RequestKey,
): Promise<LinkedAccount> {
  if (!isRoutingNumber(request.routingNumber)) throw new Refusal('routing_number_invalid', 'routingNumber')
  if (!isAccountNumber(request.accountNumber)) throw new Refusal('account_number_invalid', 'accountNumber')
  if (stripSeparators(request.routingNumber) === deps.config.routingNumber)
    throw new Refusal('account_not_external', 'routingNumber')
  const details: BankDetails = {
    holderName: request.holderName,
    routingNumber: stripSeparators(request.routingNumber),
    accountNumber: stripSeparators(request.accountNumber),
  }
  try {
    const { result } = await runOnce(deps, key, async (trx) => {
      const digest = counterKey(deps, `linked account ${details.routingNumber} ${details.accountNumber}`)
      await checkLinks(deps, trx, customer.id, digest)
      return addAccount(deps, trx, customer.id, { name: request.bankName, details, digest })
    })
    const row = await findAccount(deps, customer.id, result.id)
    // An earlier try of this request linked the account, and the customer has removed the account since.
    if (!row) throw new Refusal('not_found')
    return toLinkedAccount(deps, row)
  } catch (error) {
    if (isUniqueViolation(error)) throw new Refusal('account_linked', 'accountNumber', { cause: error })
    throw error
  }
}

/** Checks the limits. The locks make simultaneous links of one customer or of one account run one after the other. */
async function checkLinks(
  deps: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  customerId: string,
  digest: string,
): Promise<void> {
  await lockCustomer(trx, customerId)
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${digest}, 0))`.execute(trx)
  const linked = trx.selectFrom('bank.linked_account').select(({ fn }) => fn.countAll<number>().as('count'))
  const accounts = linked.where('customer_id', '=', customerId)
  const { count } = await accounts.where('status', '!=', 'removed').executeTakeFirstOrThrow()
  if (count >= MAX_ACCOUNTS) throw new Refusal('accounts_full')
  const linkedAccount = await accounts
    .where('digest', '=', digest)
    .where('status', '!=', 'removed')
    .executeTakeFirstOrThrow()
  if (linkedAccount.count > 0) throw new Refusal('account_linked', 'accountNumber')
  const daysAgo = (days: number) => new Date(deps.clock.realNow().getTime() - days * DAY_MS)
  const ofBanks = accounts.where('kind', '=', 'bank')
  const recent = await Promise.all([
    ofBanks.where('requested_at', '>', daysAgo(1)).executeTakeFirstOrThrow(),
    linked.where('digest', '=', digest).where('requested_at', '>', daysAgo(1)).executeTakeFirstOrThrow(),
  ])
  const lately = await ofBanks.where('requested_at', '>', daysAgo(365)).executeTakeFirstOrThrow()
  if (recent.some((links) => links.count >= LINKS_A_DAY) || lately.count >= LINKS_A_YEAR)
    throw new Refusal('too_many_requests')
}

type NewAccount = { name: string; details: BankDetails; digest: string }

async function addAccount(
  deps: Deps,
  trx: Transaction<Database>,
  customerId: string,
  { name, details, digest }: NewAccount,
): Promise<{ id: string }> {
  const id = randomUUID()
  const now = deps.clock.businessNow()
  const cents = () => randomInt(1, MAX_CENTS + 1)
  const [firstCents, secondCents] = [cents(), cents()]
  await trx
    .insertInto('bank.linked_account')
    .values({
      id,
      customer_id: customerId,
      kind: 'bank',
      name,
      holder_name: details.holderName,
      last_four: details.accountNumber.slice(-4),
      numbers_sealed: sealDetails(deps.config, id, details),
      digest,
      status: 'pending',
      first_minor: firstCents,
      second_minor: secondCents,
      created_at: now,
      expires_at: new Date(now.getTime() + VERIFY_DAYS * DAY_MS),
      requested_at: deps.clock.realNow(),
    })
    .execute()
  await payVerification(deps, trx, customerId, { ...details, linkedAccountId: id, name }, [firstCents, secondCents])
  return { id }
}

/**
 * Verifies an account with the amounts of its two deposits, in either order. Throws Refusal `not_found`, `deposits_wrong` while
 * attempts are left, and `deposits_over` if none are left, a deposit was returned or ten days have passed.
 */
export async function verifyAccount(
  deps: Pick<Deps, 'db' | 'clock' | 'events'>,
  customer: Pick<Customer, 'id'>,
  { id, amounts }: { id: string; amounts: VerifyRequest },
  key: RequestKey,
): Promise<LinkedAccount> {
  // A failed attempt must be stored, so the refusal is thrown after the SQL transaction has committed.
  const { result } = await runOnce(deps, key, (trx) => tryAmounts(deps, trx, customer.id, { id, amounts }))
  if (result.refused) throw new Refusal(result.refused, result.refused === 'deposits_wrong' ? 'firstMinor' : undefined)
  const row = await findAccount(deps, customer.id, id)
  if (!row) throw new Refusal('not_found')
  return toLinkedAccount(deps, row)
}

type Tried = { refused: 'not_found' | 'deposits_wrong' | 'deposits_over' | null }

async function tryAmounts(
  deps: Pick<Deps, 'clock' | 'events'>,
  trx: Transaction<Database>,
  customerId: string,
  { id, amounts }: { id: string; amounts: VerifyRequest },
): Promise<Tried> {
  const account = await lockAccount(trx, customerId, id)
  if (!account) throw new Refusal('not_found')
  const status = linkedAccountStatusOf(account, deps.clock.businessNow())
  if (status === 'verified') return { refused: null }
  if (status !== 'pending') return { refused: 'deposits_over' }
  const change = trx.updateTable('bank.linked_account').where('id', '=', account.id)
  if (await hasReturnedDeposit(trx, account.id)) {
    await change.set({ status: 'failed' }).execute()
    return { refused: 'deposits_over' }
  }
  const sentAmounts = [account.first_minor, account.second_minor].toSorted(ascending)
  const sortedAmounts = [amounts.firstMinor, amounts.secondMinor].toSorted(ascending)
  if (sentAmounts.every((cents, at) => cents === sortedAmounts[at])) {
    await change.set({ status: 'verified' }).execute()
    await notify(deps, trx, { customerId, kind: 'account_verified', params: { name: account.name } })
    return { refused: null }
  }
  const tries = account.tries + 1
  const over = tries >= VERIFY_TRIES
  await change.set({ tries, ...(over ? { status: 'failed' } : {}) }).execute()
  return { refused: over ? 'deposits_over' : 'deposits_wrong' }
}

const ascending = (a: number | null, b: number | null) => (a ?? 0) - (b ?? 0)
