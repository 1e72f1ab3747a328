import { sql } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'

/** What the bank paid because of one customer or at one shop, US cents, where some of it is not paid back. */
export type Loss = {
  who: string
  times: number
  paidMinor: number
  /** What is still to be collected, and what nobody is left to collect from. */
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

const lossOf = (who: string, { times, paid, left, lost, last_at: lastAt }: Sums): Loss => ({
  who,
  times,
  paidMinor: Number(paid),
  owedMinor: Number(left),
  lostMinor: Number(lost),
  lastAt,
})

/** The customers that the bank paid for and who have not paid it back, the largest loss first. */
export async function lossesByCustomer(db: Deps['db'], limit: number): Promise<Loss[]> {
  const rows = await sums(db)
    .innerJoin('bank.customer as c', 'c.id', 'o.customer_id')
    .select(['c.id', 'c.full_name'])
    .groupBy(['c.id', 'c.full_name'])
    .limit(limit)
    .execute()
  return rows.map((row) => lossOf(`${row.full_name} (${row.id})`, row))
}

/** The shops at which it did, likewise. */
export async function lossesByShop(db: Deps['db'], limit: number): Promise<Loss[]> {
  const rows = await sums(db).select('o.shop').where('o.shop', 'is not', null).groupBy('o.shop').limit(limit).execute()
  return rows.map((row) => lossOf(row.shop ?? '', row))
}
