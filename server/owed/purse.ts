import type { Transaction } from 'kysely'
import { MAX_AMOUNT_MINOR } from '#contract/money.ts'
import { type Account, lockAccountsOf, openAccounts } from '#server/ledger/accounts.ts'
import type { AccountId, Detail, Leg } from '#server/ledger/types.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

type Trx = Transaction<Database>

/** An account whose money covers what the current account cannot, and how a move from it to there reads. */
export type Spare = { accountId: AccountId; detail: Detail }

/** Everything a customer has that may cover what they cost the bank, locked until the SQL transaction ends. */
export type Purse = {
  customerId: string
  current: Account
  /** What they owe already. */
  owedMinor: number
  owedAccountId: AccountId | null
  /** In the order in which they are taken from, those with money alone. */
  spares: { account: Account; detail: Detail }[]
}

/**
 * Locks all of a customer's accounts, and those of the bank that are named because they will be booked with them. Null for a
 * customer who has closed.
 */
export async function openPurse(
  { slices, clock }: Pick<Deps, 'slices' | 'clock'>,
  trx: Trx,
  { customerId, bankAccounts }: { customerId: string; bankAccounts: AccountId[] },
): Promise<Purse | null> {
  const accounts = await lockAccountsOf(runIn(trx), customerId, bankAccounts)
  const current = accounts.find(({ code }) => code === 'current')
  if (current?.status !== 'open') return null
  const byId = new Map(accounts.map((account) => [account.id, account]))
  const hasSpare = accounts.some(
    ({ code, availableMinor }) => (code === 'card' || code === 'savings') && availableMinor > 0,
  )
  const offered: Spare[] = []
  const now = clock.businessNow()
  if (hasSpare)
    for (const slice of slices) if (slice.spareMoney) offered.push(...(await slice.spareMoney(trx, customerId, now)))
  const spares = offered
    .flatMap(({ accountId, detail }) => {
      const account = byId.get(accountId)
      return account?.status === 'open' && account.availableMinor > 0 ? [{ account, detail }] : []
    })
    // What was put aside to be spent goes before what is saved. The sort keeps each slice's own order.
    .toSorted((a, b) => Number(a.account.code === 'savings') - Number(b.account.code === 'savings'))
  const owedAccountId = accounts.find(({ code }) => code === 'owed')?.id ?? null
  return { customerId, current, owedMinor: current.owedMinor, owedAccountId, spares }
}

/**
 * The moves that bring the current account to `amountMinor`, or as near as there is money, and what it has then. `note` is
 * what they are for; `except` is an account that is left alone.
 */
export function gather(
  { current, spares }: Pick<Purse, 'current' | 'spares'>,
  { amountMinor, note, except }: { amountMinor: number; note?: string | undefined; except?: AccountId },
): { legs: Leg[]; availableMinor: number } {
  const legs: Leg[] = []
  let { availableMinor } = current
  for (const { account, detail } of spares) {
    const taken = Math.min(account.availableMinor, amountMinor - availableMinor)
    if (taken <= 0 || account.id === except) continue
    const reads = note === undefined ? detail : { ...detail, note }
    legs.push({ kind: 'transfer', debit: account.id, credit: current.id, amountMinor: taken, detail: reads })
    availableMinor += taken
  }
  return { legs, availableMinor }
}

/** The account of what a customer owes, opened where they owe for the first time. The purse's locks keep it the only one. */
export async function owedAccount(trx: Trx, { customerId, owedAccountId }: Purse): Promise<AccountId> {
  if (owedAccountId !== null) return owedAccountId
  const known = (await lockAccountsOf(runIn(trx), customerId, [])).find(({ code }) => code === 'owed')
  if (known) return known.id
  const account = { holderId: customerId, code: 'owed' as const, asset: 'USD' as const, floorMinor: -MAX_AMOUNT_MINOR }
  const [id] = await openAccounts(runIn(trx), [account])
  if (id === undefined) throw new Error('No account was opened')
  return id
}

declare module '#server/platform/slice.ts' {
  interface SliceParts {
    /** The accounts of a customer that cover what they cost the bank, in the order in which they are taken from. */
    spareMoney?: (trx: Trx, customerId: string, now: Date) => Promise<Spare[]>
  }
}
