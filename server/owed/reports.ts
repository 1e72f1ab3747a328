import { sql } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'

/**
 * The bank's payments for one customer or at one shop, in US cents. `who` is the customer's name and id, or the shop. Only
 * customers and shops with unpaid amounts are listed.
 */
export type Loss = {
  who: string
  times: number
  paidMinor: number
  /** `owedMinor` is still to be collected. `lostMinor` is lost because the customers have closed their accounts. */
  owedMinor: number
  lostMinor: number
  lastAt: Date
}

function sums(db: Deps['db']) {
  return db
    .selectFrom('bank.owed as o')
    .select(({ fn }) => [
      fn.countAll<number>().as('times'),
      fn.sum<string>('o.amount_minor').as('paid'),
      fn.sum<string>('o.left_minor').as('left'),
      fn.sum<string>('o.lost_minor').as('lost'),
      fn.max('o.created_at').as('last_at'),
    ])
    .having(sql<boolean>`sum(o.left_minor + o.lost_minor) > 0`)
    .orderBy(sql`sum(o.left_minor + o.lost_minor)`, 'desc')
}

type Sums = Awaited<ReturnType<ReturnType<typeof sums>['executeTakeFirstOrThrow']>>

const lossOf = (who: string, { times, paid, left: leftMinor, lost, last_at: lastAt }: Sums): Loss => ({
  who,
  times,
  paidMinor: Number(paid),
  owedMinor: Number(leftMinor),
  lostMinor: Number(lost),
  lastAt,
})

/** Returns the customers with unpaid costs to the bank, the largest loss first. */
export async function lossesByCustomer(db: Deps['db'], limit: number): Promise<Loss[]> {
  const rows = await sums(db)
    .innerJoin('bank.customer as c', 'c.id', 'o.customer_id')
    .select(['c.id', 'c.full_name'])
    .groupBy(['c.id', 'c.full_name'])
    .limit(limit)
    .execute()
  return rows.map((row) => lossOf(`${row.full_name} (${row.id})`, row))
}

/** Returns the shops with unpaid costs to the bank, the largest loss first. */
export async function lossesByShop(db: Deps['db'], limit: number): Promise<Loss[]> {
  const rows = await sums(db).select('o.shop').where('o.shop', 'is not', null).groupBy('o.shop').limit(limit).execute()
  return rows.map((row) => lossOf(row.shop ?? '', row))
}
