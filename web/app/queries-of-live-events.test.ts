import { expect, it } from 'vitest'
import { LIVE_EVENTS } from '#contract/events.ts'

const files = import.meta.glob<Record<string, unknown>>(
  ['../**/*queries.ts', '../**/*query.ts', '../lib/{contacts,linked-accounts,me,money-requests}.ts'],
  {
    eager: true,
  },
)

type Query = { queryKey: readonly unknown[]; meta?: { touchedBy?: readonly string[] } }
const isQuery = (value: unknown): value is Query => typeof value === 'object' && value !== null && 'queryKey' in value

/** Yields every query of the app. Queries with arguments are called once, with example arguments. */
function* queriesOf(module: Record<string, unknown>): Iterable<Query> {
  for (const value of Object.values(module)) {
    if (isQuery(value)) yield value
    else if (typeof value === 'function' && /Query/.test(value.name)) {
      const query: unknown = Reflect.apply(value, null, ['one', 'two', 'three', 4, 5])
      if (isQuery(query)) yield query
    }
  }
}

const queries = Object.values(files).flatMap((module) => [...queriesOf(module)])
const EVENTS = LIVE_EVENTS.filter((type) => type !== 'replaced')

/** The features whose data each event may change. */
const TOUCHED = {
  balance: 'analytics carbon cards crypto goals investing loans mandates rewards statements transactions',
  notification: 'analytics crypto disputes investing kyc linked-accounts loans mandates notifications schedules',
  request: 'bills requests',
  card: 'cards',
  bill: 'bills',
  change: 'analytics carbon crypto goals imports investing linked-accounts loans mandates rewards schedules statements',
} as const

it.each(EVENTS)('%s refreshes the queries that it may have changed', (type) => {
  const touchedQueries = queries
    .filter(({ meta }) => meta?.touchedBy?.includes(type))
    .map(({ queryKey }) => String(queryKey[0]))
  expect([...new Set(touchedQueries)].toSorted().join(' ')).toBe(TOUCHED[type])
})

it('a touch refreshes all queries of a slice, or none', () => {
  const byKey = Map.groupBy(queries, ({ queryKey }) => queryKey[0])
  for (const [key, [first, ...others]] of byKey)
    for (const other of others) expect(other.meta?.touchedBy, String(key)).toEqual(first?.meta?.touchedBy)
})
