import type { Transaction } from 'kysely'
import { MAX_AMOUNT_MINOR } from '#contract/money.ts'
import { type Account, lockAccountsOf, openAccounts } from '#server/ledger/accounts.ts'
import type { AccountId, Detail, Leg } from '#server/ledger/types.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

type Trx = Transaction<Database>

/** An account whose money is used after the current account's money, with the description of a move from it. */
export type SpareAccount = { accountId: AccountId; detail: Detail }

/** All of a customer's money that may cover the bank's costs, locked until the SQL transaction ends. */
export type CustomerFunds = {
  customerId: string
  current: Account
  /** The customer's existing debt, in US cents. */
  owedMinor: number
  owedAccountId: AccountId | null
  /** The other accounts with money, in the order of use. */
  spares: { account: Account; detail: Detail }[]
}

/**
 * Locks all of a customer's accounts and the bank accounts that the same booking needs. Returns null if the customer's current
 * account is not open.
 */
export async function lockFunds(
  { slices, clock }: Pick<Deps, 'slices' | 'clock'>,
  trx: Trx,
  { customerId, bankAccounts }: { customerId: string; bankAccounts: AccountId[] },
): Promise<CustomerFunds | null> {
  const accounts = await lockAccountsOf(runIn(trx), customerId, bankAccounts)
  const current = accounts.find(({ code }) => code === 'current')
  if (current?.status !== 'open') return null
  const byId = new Map(accounts.map((account) => [account.id, account]))
  const hasSpare = accounts.some(
    ({ code, availableMinor }) => (code === 'card' || code === 'savings') && availableMinor > 0,
  )
  const spareAccounts: SpareAccount[] = []
  const now = clock.businessNow()
  if (hasSpare)
    for (const slice of slices)
      if (slice.spareMoney) spareAccounts.push(...(await slice.spareMoney(trx, customerId, now)))
  const spares = spareAccounts
    .flatMap(({ accountId, detail }) => {
      const account = byId.get(accountId)
      return account?.status === 'open' && account.availableMinor > 0 ? [{ account, detail }] : []
    })
    // Money for spending is used before savings. The sort keeps each slice's own order.
    .toSorted((a, b) => Number(a.account.code === 'savings') - Number(b.account.code === 'savings'))
  const owedAccountId = accounts.find(({ code }) => code === 'owed')?.id ?? null
  return { customerId, current, owedMinor: current.owedMinor, owedAccountId, spares }
}

/**
 * Returns the moves from spare accounts that bring the current account's available amount to `amountMinor`, or as close as the
 * money allows, and the resulting available amount. `note` is the note on the moves. `except` is an account that is not used.
 */
export function coverFromSpares(
  { current, spares }: Pick<CustomerFunds, 'current' | 'spares'>,
  { amountMinor, note, except }: { amountMinor: number; note?: string | undefined; except?: AccountId },
): { legs: Leg[]; availableMinor: number } {
  const legs: Leg[] = []
  let { availableMinor } = current
  for (const { account, detail } of spares) {
    const takenMinor = Math.min(account.availableMinor, amountMinor - availableMinor)
    if (takenMinor <= 0 || account.id === except) continue
    const reads = note === undefined ? detail : { ...detail, note }
    legs.push({ kind: 'transfer', debit: account.id, credit: current.id, amountMinor: takenMinor, detail: reads })
    availableMinor += takenMinor
  }
  return { legs, availableMinor }
}

/**
 * Returns the account of a customer's debts. Opens it for the first debt. The locks of `lockFunds` ensure that a customer has
 * only one.
 */
export async function owedAccount(trx: Trx, { customerId, owedAccountId }: CustomerFunds): Promise<AccountId> {
  if (owedAccountId !== null) return owedAccountId
  const owed = (await lockAccountsOf(runIn(trx), customerId, [])).find(({ code }) => code === 'owed')
  if (owed) return owed.id
  const account = { holderId: customerId, code: 'owed' as const, asset: 'USD' as const, floorMinor: -MAX_AMOUNT_MINOR }
  const [id] = await openAccounts(runIn(trx), [account])
  if (id === undefined) throw new Error('No account was opened')
  return id
}

declare module '#server/platform/slice.ts' {
  interface SliceParts {
    /** Returns the customer's accounts whose money pays the customer's debts after the current account, in the order of use. */
    spareMoney?: (trx: Trx, customerId: string, now: Date) => Promise<SpareAccount[]>
  }
}
