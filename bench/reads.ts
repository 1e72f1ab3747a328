import { monthOf } from '#server/calendar/months.ts'
import { randomUUIDv7 as randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { createCustomer, type Customer } from '#server/identity/customers/customers.ts'
import { createSession } from '#server/identity/sessions/sessions.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import type { Operation } from '#server/ledger/types.ts'
import type { Deps } from '#server/platform/deps.ts'
import { percentile } from './measure.ts'
import { serve } from './serve.ts'

/** `bank` describes the size of the bank: the other accounts in it. */
export type ReadFigure = { bank: string; what: string; entries: number; p50_ms: number; p99_ms: number }

type Options = { deps: Deps; bank: string; sizes?: number[]; times?: number }

const AT_ONCE = 2_000
const CATEGORIES = ['food', 'shopping', 'transport', 'entertainment', 'bills'] as const
/** This word is only in the oldest entry, so a search for it reads all entries. */
const NEEDLE = 'needle'

/** Returns `count` entries of this month: one that brings the money, then card payments at many merchants. */
function history({ currentAccountId }: Customer, now: Date, count: number): Operation[] {
  const monthStartMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)
  const shops = bankAccount('card_scheme')
  return Array.from({ length: count }, (_, index) => {
    const [debit, credit] = index === 0 ? [shops, currentAccountId] : [currentAccountId, shops]
    const category = CATEGORIES[index % CATEGORIES.length] ?? 'food'
    const detail = {
      debitName: `Merchant ${index % 97}`,
      creditName: 'An employer',
      category: index === 0 ? ('income' as const) : category,
      method: 'debit_card' as const,
      params: { lastFour: '4821' },
      note: index === 0 ? NEEDLE : `Order ${index}`,
    }
    const bookedAt = new Date(monthStartMs + ((now.getTime() - monthStartMs) * index) / count)
    const amountMinor = index === 0 ? 1_000_000_00 : 1 + (index % 500)
    const legs: Operation['legs'] = [{ kind: 'transfer', debit, credit, amountMinor, detail }]
    return { id: randomUUID(), kind: 'bench.entry', fingerprint: 'bench', bookedAt, legs }
  })
}

async function openReader(deps: Deps, entries: number): Promise<{ cookie: string; anId: string }> {
  const customer = await createCustomer(deps, { fullName: 'Bench Reader', email: `bench.${randomUUID()}@example.com` })
  const operations = history(customer, deps.clock.businessNow(), entries)
  for (let from = 0; from < operations.length; from += AT_ONCE) {
    const outcomes = await deps.ledger.postAll(operations.slice(from, from + AT_ONCE))
    if (outcomes.some(({ ok }) => !ok)) throw new Error('The history could not be booked')
  }
  const caller = { device: { browser: 'Bench', system: null }, networkZone: 'this_computer' } as const
  const { token } = await createSession(deps, deps.db, { customerId: customer.id, caller, method: 'password' })
  const anId = operations[Math.floor(entries / 2)]?.id ?? ''
  return { cookie: `${deps.cookies.session}=${token}`, anId }
}

function sendRequest(url: string, agent: Agent, cookie: string): Promise<number> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, headers: { cookie } }, (response) => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - startedAt)
        else reject(new Error(`${url} was answered with ${response.statusCode}`))
      })
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

/** Measures a customer's reads over HTTP, one at a time. All of the customer's entries are in this month. */
export async function benchReads({
  deps,
  bank,
  sizes = [100, 10_000, 100_000],
  times = 300,
}: Options): Promise<ReadFigure[]> {
  const server = await serve(deps)
  const url = `${server.url}/api/v1`
  const agent = new Agent({ keepAlive: true })
  const figures: ReadFigure[] = []
  const month = monthOf(deps.clock.businessNow())
  try {
    for (const entries of sizes) {
      const { cookie, anId } = await openReader(deps, entries)
      const reads: [what: string, paths: string[]][] = [
        ['dashboard', ['/dashboard']],
        ['summary', ['/transactions/summary']],
        ['list', ['/transactions']],
        ['detail', [`/transactions/${anId}`]],
        ['analytics', ['/analytics']],
        ['analytics: payments', [`/analytics/payments?month=${month}&category=food`]],
        ['analytics: recurring', ['/analytics/recurring']],
        ['analytics: forecast', ['/analytics/forecast']],
        [
          'search',
          [NEEDLE, 'merchant 42', 'order 77', 'nothing like it'].map((q) => `/transactions?q=${encodeURIComponent(q)}`),
        ],
      ]
      for (const [readName, paths] of reads) {
        const tookMs: number[] = []
        for (let turn = 0; turn < times + 20; turn += 1) {
          const ms = await sendRequest(url + (paths[turn % paths.length] ?? ''), agent, cookie)
          if (turn >= 20) tookMs.push(ms)
        }
        figures.push({
          bank,
          what: readName,
          entries,
          p50_ms: roundMs(percentile(tookMs, 0.5)),
          p99_ms: roundMs(percentile(tookMs, 0.99)),
        })
      }
    }
    return figures
  } finally {
    agent.destroy()
    server.close()
  }
}

const roundMs = (ms: number): number => Number(ms.toFixed(3))
