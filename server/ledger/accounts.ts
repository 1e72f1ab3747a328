import { type RawBuilder, sql } from 'kysely'
import type { Asset } from '#contract/money.ts'
import type { Run } from '#server/platform/db/run.ts'
import type { AccountId } from '#server/ledger/types.ts'

/** The purpose of a customer's account. The bank's own accounts are in chart.ts. */
export type CustomerAccountCode = 'current' | 'savings' | 'card' | 'points' | 'crypto' | 'fund' | 'loan' | 'owed'

/** The codes of the accounts that a customer spends from. Goals, points and investments are not among them. */
export const SPENDING_CODES: readonly string[] = ['current', 'card'] satisfies CustomerAccountCode[]

export const isSpendingAccount = ({ code }: Pick<Account, 'code'>): boolean => SPENDING_CODES.includes(code)

/**
 * An account to open. `floorMinor` is the lowest balance allowed, in minor units. It is below zero where the customer owes the
 * bank. The default is zero.
 */
export type NewAccount = { holderId: string; code: CustomerAccountCode; asset: Asset; floorMinor?: number }

export type AccountStatus = 'open' | 'frozen' | 'closed'

export type Account = {
  id: AccountId
  /** The customer's id; null for the bank's own accounts. */
  holderId: string | null
  code: string
  asset: Asset
  balanceMinor: number
  /** The amount that open holds set aside, in minor units. */
  heldMinor: number
  /**
   * The amount that will come in when open holds of other accounts are posted, in minor units. The balance does not include it
   * yet.
   */
  incomingMinor: number
  /**
   * The holder's debt to the bank, in minor units. The holder cannot spend this part of the balance. Only a current account has
   * a debt.
   */
  owedMinor: number
  /** The amount that can be spent, in minor units: the balance less the held and the owed amounts. */
  availableMinor: number
  status: AccountStatus
  version: number
}

/**
 * Opens customers' accounts in the given order and returns their ids. The balance less the held amount of an account can never
 * go below its floor.
 */
export async function openAccounts(run: Run, accounts: NewAccount[]): Promise<AccountId[]> {
  const { rows } = await run(
    `INSERT INTO ledger.account (holder_id, code, asset, floor_minor)
     SELECT holder_id, code, asset, floor_minor
       FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[])
            WITH ORDINALITY AS given (holder_id, code, asset, floor_minor, place)
      ORDER BY place
     RETURNING id`,
    [
      accounts.map((account) => account.holderId),
      accounts.map((account) => account.code),
      accounts.map((account) => account.asset),
      accounts.map((account) => account.floorMinor ?? 0),
    ],
  )
  return rows.map((row) => row['id'] as AccountId)
}

const COLUMNS = 'id, holder_id, code, asset, balance_minor, held_minor, incoming_minor, owed_minor, status, version'

/** Returns an SQL fragment that selects a holder's accounts, oldest first. `toAccount` converts each selected row. */
export const selectAccountsOf = (holderId: string): RawBuilder<Record<string, unknown>[]> => sql`
  (SELECT coalesce(json_agg(a ORDER BY id), '[]') FROM (SELECT ${sql.raw(COLUMNS)} FROM ledger.account WHERE holder_id = ${holderId}) a)`

/** Returns a holder's accounts, oldest first. */
export async function accountsOf(run: Run, holderId: string): Promise<Account[]> {
  const { rows } = await run(`SELECT ${COLUMNS} FROM ledger.account WHERE holder_id = $1 ORDER BY id`, [holderId])
  return rows.map(toAccount)
}

/** Returns the ids of the accounts that a customer spends from. */
export async function spendingAccountsOf(run: Run, holderId: string): Promise<AccountId[]> {
  const accounts = await accountsOf(run, holderId)
  return accounts.filter(isSpendingAccount).map(({ id }) => id)
}

/** Returns the accounts with these ids, in id order. Ids that do not exist are left out. */
export async function accountsById(run: Run, ids: AccountId[]): Promise<Account[]> {
  const { rows } = await run(`SELECT ${COLUMNS} FROM ledger.account WHERE id = ANY($1::bigint[]) ORDER BY id`, [ids])
  return rows.map(toAccount)
}

/**
 * Locks a holder's accounts and the named bank accounts until the SQL transaction ends. Returns the holder's accounts, oldest
 * first. The locks are taken in the same order as in every posting, so a decision based on the result can still be booked.
 */
export async function lockAccountsOf(run: Run, holderId: string, bankAccounts: AccountId[]): Promise<Account[]> {
  const { rows } = await run(
    `SELECT ${COLUMNS} FROM ledger.account WHERE holder_id = $1 OR id = ANY($2::bigint[]) ORDER BY id FOR NO KEY UPDATE`,
    [holderId, bankAccounts],
  )
  return rows.map(toAccount).filter((account) => account.holderId !== null)
}

/**
 * Freezes, reopens or closes an account. A frozen account can only receive money. A closed account can neither receive nor
 * send.
 */
export async function setAccountStatus(run: Run, id: AccountId, status: AccountStatus): Promise<void> {
  await run('UPDATE ledger.account SET status = $2 WHERE id = $1', [id, status])
}

/**
 * Closes one account permanently and returns true. The account must be empty, with nothing held and nothing incoming. Otherwise
 * changes nothing and returns false. A concurrent deposit either commits before the closing or is refused.
 */
export async function closeAccount(run: Run, id: AccountId): Promise<boolean> {
  const { rows } = await run(
    `UPDATE ledger.account SET status = 'closed'
      WHERE id = $1 AND balance_minor = 0 AND held_minor = 0 AND incoming_minor = 0 RETURNING id`,
    [id],
  )
  return rows.length > 0
}

/**
 * Closes all of a holder's accounts permanently and returns true. Every account except points accounts must be empty, with
 * nothing held and nothing incoming. Points may remain, because they are worth nothing outside the bank. If another account is
 * not empty, changes nothing and returns false. The accounts are locked as in every posting, so a concurrent deposit either
 * commits before the closing or is refused with `account_closed`.
 */
export async function closeAccounts(run: Run, holderId: string): Promise<boolean> {
  const { rows } = await run(
    `SELECT ${COLUMNS} FROM ledger.account WHERE holder_id = $1 ORDER BY id FOR NO KEY UPDATE`,
    [holderId],
  )
  const money = rows.map(toAccount).filter(({ asset }) => asset !== 'POINTS')
  if (money.some((account) => account.balanceMinor !== 0 || account.heldMinor !== 0 || account.incomingMinor !== 0))
    return false
  await run(`UPDATE ledger.account SET status = 'closed' WHERE holder_id = $1`, [holderId])
  return true
}

export function toAccount(row: Record<string, unknown>): Account {
  const balanceMinor = row['balance_minor'] as number
  const heldMinor = row['held_minor'] as number
  const owedMinor = row['owed_minor'] as number
  const unheldMinor = balanceMinor - heldMinor
  return {
    id: row['id'] as AccountId,
    holderId: row['holder_id'] as string | null,
    code: row['code'] as string,
    asset: row['asset'] as Asset,
    balanceMinor,
    heldMinor,
    incomingMinor: row['incoming_minor'] as number,
    owedMinor,
    availableMinor: owedMinor > 0 ? Math.max(0, unheldMinor - owedMinor) : unheldMinor,
    status: row['status'] as AccountStatus,
    version: row['version'] as number,
  }
}
