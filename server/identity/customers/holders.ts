import { CUSTOMER_COLUMNS, type Customer, customerOf, type CustomerRow } from '#server/identity/customers/customers.ts'
import type { Run } from '#server/platform/db/run.ts'

/** A customer with the hash of their password, if they have one. */
export type Holder = { customer: Customer; passwordHash: string | null }

// Plain SQL: the columns are those of the hot look-ups (customers.ts).
const HOLDER_COLUMNS = `${CUSTOMER_COLUMNS}, c.password_hash`

function holderOf(row: Record<string, unknown> | undefined): Holder | null {
  if (!row) return null
  const known = row as unknown as CustomerRow & { password_hash: string | null }
  return { customer: customerOf(known), passwordHash: known.password_hash }
}

/** The customer with this confirmed email, in the form the bank stores; null where there is none. */
export async function holderOfEmail(run: Run, email: string): Promise<Holder | null> {
  const { rows } = await run(
    `SELECT ${HOLDER_COLUMNS} FROM bank.customer c
      WHERE c.email = $1 AND c.email_confirmed_at IS NOT NULL AND c.closed_at IS NULL`,
    [email],
  )
  return holderOf(rows[0])
}

export async function holderById(run: Run, customerId: string): Promise<Holder | null> {
  const { rows } = await run(`SELECT ${HOLDER_COLUMNS} FROM bank.customer c WHERE c.id = $1 AND c.closed_at IS NULL`, [
    customerId,
  ])
  return holderOf(rows[0])
}
