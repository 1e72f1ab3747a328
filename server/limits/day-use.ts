import type { Pool } from 'pg'
import type { Deps } from '#server/platform/deps.ts'
import { batchLoader } from '#server/platform/db/batch-loader.ts'

declare module '#server/platform/deps.ts' {
  interface Deps {
    dayUse: DayUse
  }
}

/** How many operations of a customer are known for a while. */
const RECENT = 8

export type Direction = 'in' | 'out'

/** `day`: YYYY-MM-DD, business time. `amountMinor`: US cents. */
export type Share = { operationId: string; customerId: string; direction: Direction; day: string; amountMinor: number }

/** under_way: too much for today, but the same operation was counted a moment ago and may yet be posted. */
export type Taken = 'taken' | 'refused' | 'under_way'

/** Counts what customers move on a day of the bank's. */
export type DayUse = {
  /** Counts an amount, where that stays within the policy's limit for the day; else counts nothing. */
  take(share: Share): Promise<Taken>
  /** Takes it back, where nothing was moved after all. */
  giveBack(share: Share): Promise<void>
}

/**
 * Whoever asks while a statement runs shares the next one. The count is committed before the money it is for is posted,
 * so it need not reach the disk by itself: the posting's own commit takes it there.
 */
export function openDayUse({ pool, policy }: Pick<Deps, 'pool' | 'policy'>): DayUse {
  const limitOf = (direction: Direction): number => policy.limits[direction].dayMinor

  async function takeAll(shares: readonly Share[]): Promise<boolean[]> {
    const groups = new Map<string, Group>()
    for (const share of shares) {
      const key = keyOf(share)
      const before = groups.get(key)
      // At midnight a batch may hold both days; what is counted for the later one is not too little.
      const day = before && before.day > share.day ? before.day : share.day
      const operationIds = [share.operationId, ...(before?.operationIds ?? [])]
      groups.set(key, { ...share, day, operationIds, amountMinor: share.amountMinor + (before?.amountMinor ?? 0) })
    }
    const taken = await count(pool, [...groups.values()], limitOf)
    const answers: boolean[] = []
    for (const share of shares) {
      const together = groups.get(keyOf(share))
      // What is too much together may be within the limit one by one.
      const alone = !taken.has(keyOf(share)) && together?.amountMinor !== share.amountMinor
      const group = { ...share, operationIds: [share.operationId] }
      answers.push(taken.has(keyOf(share)) || (alone && (await count(pool, [group], limitOf)).size === 1))
    }
    return answers
  }

  const loader = batchLoader<Share, boolean>(takeAll)
  return {
    take: async (share) => {
      if (await loader.load(share)) return 'taken'
      const { rowCount } = await pool.query(
        'SELECT FROM bank.day_use WHERE customer_id = $1 AND direction = $2 AND $3 = ANY (recent)',
        [share.customerId, share.direction, share.operationId],
      )
      return rowCount === 0 ? 'refused' : 'under_way'
    },
    giveBack: async ({ operationId, customerId, direction, day, amountMinor }) => {
      await pool.query(
        `UPDATE bank.day_use SET used_minor = greatest(used_minor - $4, 0), recent = array_remove(recent, $5)
          WHERE customer_id = $1 AND direction = $2 AND day = $3`,
        [customerId, direction, day, amountMinor, operationId],
      )
    },
  }
}

type Group = Omit<Share, 'operationId'> & { operationIds: string[] }

const keyOf = ({ customerId, direction }: Pick<Share, 'customerId' | 'direction'>) => `${customerId} ${direction}`

/** Counts those that stay within their limit and answers their keys. No two may be the same customer's same way. */
async function count(
  pool: Pool,
  groups: readonly Group[],
  limitOf: (direction: Direction) => number,
): Promise<Set<string>> {
  const { rows } = await pool.query<{ customer_id: string; direction: Direction; day: string }>({
    name: 'take-day-use',
    text: `WITH relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
           INSERT INTO bank.day_use AS used (customer_id, direction, day, used_minor, recent)
           SELECT customer_id, direction, day, amount_minor, string_to_array(operation_ids, ' ')::uuid[]
             FROM unnest($1::uuid[], $2::text[], $3::date[], $4::bigint[], $7::text[])
                  AS asked (customer_id, direction, day, amount_minor, operation_ids), relaxed
            WHERE amount_minor <= CASE direction WHEN 'in' THEN $5::bigint ELSE $6::bigint END
            ORDER BY customer_id, direction
           ON CONFLICT (customer_id, direction) DO UPDATE
              SET used_minor = CASE WHEN used.day < excluded.day THEN 0 ELSE used.used_minor END + excluded.used_minor,
                  day = greatest(used.day, excluded.day),
                  recent = (excluded.recent || used.recent)[1:${RECENT}]
            WHERE CASE WHEN used.day < excluded.day THEN 0 ELSE used.used_minor END + excluded.used_minor
                  <= CASE excluded.direction WHEN 'in' THEN $5::bigint ELSE $6::bigint END
           RETURNING customer_id, direction`,
    values: [
      groups.map(({ customerId }) => customerId),
      groups.map(({ direction }) => direction),
      groups.map(({ day }) => day),
      groups.map(({ amountMinor }) => amountMinor),
      limitOf('in'),
      limitOf('out'),
      groups.map(({ operationIds }) => operationIds.join(' ')),
    ],
  })
  return new Set(rows.map(({ customer_id: customerId, direction }) => keyOf({ customerId, direction })))
}
