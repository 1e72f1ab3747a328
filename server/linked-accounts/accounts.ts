import { type Selectable, type Transaction } from 'kysely'
import { type LinkedAccount, VERIFY_TRIES } from '#contract/linked-accounts.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { isUuid } from '#server/platform/uuid.ts'

export type LinkedAccountRow = Omit<Selectable<Database['bank.linked_account']>, 'expires_on'> & {
  expires_on: string | null
}

function selectAccounts({ db }: Pick<Deps, 'db'>) {
  return db.selectFrom('bank.linked_account').selectAll().where('status', '!=', 'removed')
}

/** Reads a customer's linked accounts, oldest first. */
export async function linkedAccountsOf(deps: Pick<Deps, 'db' | 'clock'>, customerId: string): Promise<LinkedAccount[]> {
  const rows = await selectAccounts(deps)
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => toLinkedAccount(deps, row))
}

/** Reads one of a customer's linked accounts; null if it does not exist, belongs to another customer or was removed. */
export async function findAccount(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  id: string,
): Promise<LinkedAccountRow | null> {
  if (!isUuid(id)) return null
  const row = await selectAccounts(deps).where('id', '=', id).where('customer_id', '=', customerId).executeTakeFirst()
  return row ?? null
}

/** Reads one of a customer's linked accounts and locks it until the SQL transaction ends. */
export async function lockAccount(
  trx: Transaction<Database>,
  customerId: string,
  id: string,
): Promise<LinkedAccountRow | null> {
  if (!isUuid(id)) return null
  const locked = await selectAccounts({ db: trx })
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return locked ?? null
}

export function toLinkedAccount({ clock }: Pick<Deps, 'clock'>, row: LinkedAccountRow): LinkedAccount {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    holderName: row.holder_name,
    lastFour: row.last_four,
    email: row.email,
    expiresOn: row.expires_on,
    status: linkedAccountStatusOf(row, clock.businessNow()),
    triesLeft: row.status === 'pending' ? VERIFY_TRIES - row.tries : 0,
    expiresAt: row.status === 'pending' ? (row.expires_at?.toISOString() ?? null) : null,
  }
}

/** Returns an account's current status. An account that is not verified counts as expired from `expires_at` on. */
export function linkedAccountStatusOf({ status, expires_at }: LinkedAccountRow, now: Date): LinkedAccount['status'] {
  if (status === 'removed') throw new Error('A linked account that was removed is not shown')
  return status === 'pending' && expires_at && expires_at <= now ? 'expired' : status
}
