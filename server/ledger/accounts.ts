import { type RawBuilder, sql } from 'kysely'
import type { Asset } from '#contract/money.ts'
import type { Run } from '#server/platform/db/run.ts'
import type { AccountId } from '#server/ledger/types.ts'

/** What a customer's account is for. The bank's own accounts are in chart.ts. */
export type CustomerAccountCode = 'current' | 'savings' | 'card' | 'points' | 'crypto' | 'fund' | 'loan' | 'owed'

/** The codes of accounts that a customer spends from: goals, points and investments are not among them. */
export const SPENDING_CODES: readonly string[] = ['current', 'card'] satisfies CustomerAccountCode[]

export const isSpendingAccount = ({ code }: Pick<Account, 'code'>): boolean => SPENDING_CODES.includes(code)

/** `floorMinor`: what it may go down to, below zero where the customer owes the bank; zero unless told. */
export type NewAccount = { holderId: string; code: CustomerAccountCode; asset: Asset; floorMinor?: number }

export type AccountStatus = 'open' | 'frozen' | 'closed'

export type Account = {
  id: AccountId
  /** The customer; null for the bank's own. */
  holderId: string | null
  code: string
  asset: Asset
  balanceMinor: number
  /** Set aside by open holds. */
  heldMinor: number
  /** On its way in by open holds, not yet in the balance. */
  incomingMinor: number
  /** What the holder owes the bank, which is not theirs to spend; on a current account alone. */
  owedMinor: number
  /** Balance less held and owed: what can be spent. */
  availableMinor: number
  status: AccountStatus
  version: number
}

/** Opens customers' accounts, in the order given; none can go below its floor, holds included. Answers their ids. */
export async function openAccounts(run: Run, accounts: NewAccount[]): Promise<AccountId[]> {
  const { rows } = await run(
    `INSERT INTO ledger.account (holder_id, code, asset, floor_minor)
     SELECT holder_id, code, asset, floor_minor
       FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[])
            WITH ORDINALITY AS given (holder_id, code, asset, floor_minor, place)
      ORDER BY place
     RETURNING id`,
    [
      accounts.map((one) => one.holderId),
      accounts.map((one) => one.code),
      accounts.map((one) => one.asset),
      accounts.map((one) => one.floorMinor ?? 0),
    ],
  )
  return rows.map((row) => row['id'] as AccountId)
}

const COLUMNS = 'id, holder_id, code, asset, balance_minor, held_minor, incoming_minor, owed_minor, status, version'

/** A holder's accounts, oldest first, as a part of a larger statement; `toAccount` makes accounts of what it selects. */
export const selectAccountsOf = (holderId: string): RawBuilder<Record<string, unknown>[]> => sql`
  (SELECT coalesce(json_agg(a ORDER BY id), '[]') FROM (SELECT ${sql.raw(COLUMNS)} FROM ledger.account WHERE holder_id = ${holderId}) a)`

/** A holder's accounts, oldest first. */
export async function accountsOf(run: Run, holderId: string): Promise<Account[]> {
  const { rows } = await run(`SELECT ${COLUMNS} FROM ledger.account WHERE holder_id = $1 ORDER BY id`, [holderId])
  return rows.map(toAccount)
}

/** The accounts a customer spends from. */
export async function spendingAccountsOf(run: Run, holderId: string): Promise<AccountId[]> {
  const accounts = await accountsOf(run, holderId)
  return accounts.filter(isSpendingAccount).map(({ id }) => id)
}

/** The accounts with these ids, in id order; ids that do not exist are left out. */
export async function accountsById(run: Run, ids: AccountId[]): Promise<Account[]> {
  const { rows } = await run(`SELECT ${COLUMNS} FROM ledger.account WHERE id = ANY($1::bigint[]) ORDER BY id`, [ids])
  return rows.map(toAccount)
}

/**
 * A holder's accounts and those of the bank that are named, locked in the order of every posting until the SQL transaction
 * ends: what is decided from them can be booked. Answers the holder's, oldest first.
 */
export async function lockAccountsOf(run: Run, holderId: string, bankAccounts: AccountId[]): Promise<Account[]> {
  const { rows } = await run(
    `SELECT ${COLUMNS} FROM ledger.account WHERE holder_id = $1 OR id = ANY($2::bigint[]) ORDER BY id FOR NO KEY UPDATE`,
    [holderId, bankAccounts],
  )
  return rows.map(toAccount).filter((account) => account.holderId !== null)
}

/** Freezes, reopens or closes an account. A frozen account only receives; a closed one does neither. */
export async function setAccountStatus(run: Run, id: AccountId, status: AccountStatus): Promise<void> {
  await run('UPDATE ledger.account SET status = $2 WHERE id = $1', [id, status])
}

/**
 * Closes one account for good, where it is empty, with nothing set aside and nothing on its way in. Answers false, having
 * changed nothing, where it is not. Whoever pays in at this moment either comes first, or is refused.
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
 * Closes all of a holder's accounts for good: nothing moves on them again. They must be empty, with nothing set aside
 * and nothing on its way in; points are worth nothing elsewhere and stay where they are. Decided under the same locks as
 * every posting: whoever pays in at this moment either comes first, or is refused with `account_closed`.
 * Answers false, having changed nothing, where an account is not empty.
 */
export async function closeAccounts(run: Run, holderId: string): Promise<boolean> {
  const { rows } = await run(
    `SELECT ${COLUMNS} FROM ledger.account WHERE holder_id = $1 ORDER BY id FOR NO KEY UPDATE`,
    [holderId],
  )
  const money = rows.map(toAccount).filter(({ asset }) => asset !== 'POINTS')
  if (money.some((one) => one.balanceMinor !== 0 || one.heldMinor !== 0 || one.incomingMinor !== 0)) return false
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
