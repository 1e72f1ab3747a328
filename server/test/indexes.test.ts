import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runOn } from '#server/platform/db/run.ts'
import { servingRole } from '#server/platform/db/serving-role.ts'
import { cardsOf } from '#server/cards/card.ts'
import { issueCard } from '#server/cards/service.ts'
import { receiveMessage } from '#server/card-scheme/receive.ts'
import { payAtShop } from '#server/card-scheme/simulated.ts'
import { testContext } from '#server/test/context.ts'
import { peopleServer, type PeopleServer } from '#server/test/people.ts'

/** Tables that always have one row. */
const SINGLE = new Set(['clock', 'clock_move', 'points_sweep'])
const WHY = `Statements of the serving role are planned once for all values, and never to read a table whole
(server/platform/db/pool.ts). These have no index that fits, and would become slow as the table grows without anybody having
changed them. Ask by a key that has an index, or add an index in a migration; write what a partial index is about as sql.lit.`

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}

/** Records the text of every statement that the serving role sends from now on. */
function recordStatements(): { texts: Set<string>; stop(): void } {
  const texts = new Set<string>()
  const original = pg.Client.prototype.query
  const role = servingRole(testContext('secret'))
  pg.Client.prototype.query = function record(this: pg.Client, ...args: unknown[]) {
    const [query] = args as [string | { text?: string }]
    const text = typeof query === 'string' ? query : query.text
    if (text !== undefined && this.user === role) texts.add(text)
    return Reflect.apply(original, this, args) as never
  }
  return { texts, stop: () => void (pg.Client.prototype.query = original) }
}

/** The nodes of a plan that read an index. A node without a condition reads the whole index. */
const INDEX_SCANS = new Set(['Index Scan', 'Index Only Scan'])

/** Returns the tables that a plan reads in full. `indexes` includes full reads through an index. */
function readWhole(plan: Plan, indexes: boolean): string[] {
  const isWholeIndex = indexes && INDEX_SCANS.has(plan['Node Type']) && plan['Index Cond'] === undefined
  const own =
    plan['Node Type'] === 'Seq Scan' || isWholeIndex ? [plan['Relation Name'] ?? plan['Index Name'] ?? '?'] : []
  return [...own, ...(plan.Plans ?? []).flatMap((part) => readWhole(part, indexes))]
}

let server: PeopleServer
const recording = recordStatements()
beforeAll(async () => {
  server = await peopleServer()
})
afterAll(async () => {
  recording.stop()
  await server.close()
})

type Operation = { requestBody?: { content: Record<string, { example?: unknown }> } }

/** Calls every route once as a customer with money, with a body that matches the schema. */
async function askEverything(): Promise<void> {
  const ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  await ann.fund(5_000_00)
  const document = await (await server.browser().get('/api/openapi.json')).json()
  for (const [path, operations] of Object.entries(document.paths as Record<string, Record<string, Operation>>)) {
    if (!path.startsWith('/api/v1/') || path === '/api/v1/events' || path.includes('/session')) continue
    for (const [method, { requestBody }] of Object.entries(operations)) {
      const json = requestBody?.content['application/json']
      const body = json ? JSON.stringify(json.example) : method === 'post' ? '{}' : undefined
      const filled = path.replaceAll(/\{(\w+)\}/g, () => randomUUID())
      await (await ann.browser.send(method.toUpperCase(), filled, body)).arrayBuffer()
    }
  }
}

/** Sends a card scheme's messages about a payment, from authorization to refund. */
async function payByCard(): Promise<void> {
  const { deps } = server
  const bob = await server.person({ fullName: 'Bob Lee', email: 'bob@example.com' })
  await bob.fund(100_00)
  const { id: customerId, currentAccountId: accountId } = bob.customer
  const cardFields = { type: 'debit', kind: 'main', name: 'Main Card', expiresOn: '2030-12-31' } as const
  await issueCard(deps, { customerId, accountId, ...cardFields })
  const [card] = await cardsOf(deps, customerId)
  if (!card) throw new Error('No card was issued')
  const shopping = { card, entry: 'chip', merchant: { name: 'Books', mcc: '5942', country: 'US' } } as const
  const amount = { amountMinor: 5_00, asset: 'USD' } as const
  expect(await payAtShop(deps, { id: 'one', ...shopping, amountMinor: 20_00 })).toBeNull()
  await receiveMessage(deps, { type: 'refund', messageId: 'two', authorisationId: 'one', ...amount })
}

test('every statement of the serving role finds its rows through an index', async ({ skip }) => {
  const run = runOn(server.deps.pool)
  const [version] = (await run(`SELECT current_setting('server_version_num')::int AS number`)).rows
  skip(Number(version?.['number']) < 16_00_00, 'PostgreSQL 15 does not explain a statement without its values')
  await askEverything()
  await payByCard()
  // A job may read a whole table in index order; a request may not.
  const uniqueTexts = new Set(recording.texts)
  for (const job of server.deps.slices.flatMap(({ jobs = [] }) => jobs)) {
    if (job.everyMinutes === null) continue
    await job.isDue?.(server.deps)
    await job.run(server.deps, {})
  }
  const lookUps = [...recording.texts].filter((text) => /^[\s(]*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/i.test(text))
  expect(lookUps.length).toBeGreaterThan(150)
  const slowStatements: { tables: string[]; text: string }[] = []
  for (const text of lookUps) {
    const [explained] = (await run(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`)).rows
    const plans = explained?.['QUERY PLAN'] as { Plan: Plan }[]
    const tables = plans
      .flatMap(({ Plan }) => readWhole(Plan, uniqueTexts.has(text)))
      .filter((table) => !SINGLE.has(table))
    if (tables.length > 0) slowStatements.push({ tables, text })
  }
  expect(slowStatements, WHY).toEqual([])
})
