import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, openBrowser } from '#server/test/browser.ts'
import { listSends } from '#server/test/list-sends.ts'

const PAYERS = 8
const TRY_AGAIN_MS = 100
/** The number of payments after which a payer reads their statement. */
const STATEMENT_EVERY = 10
/** A timeout in milliseconds, longer than the bank takes to report that it is unavailable. */
const PATIENCE_MS = 9_000

/** The payers' results in a span of time. */
export type PayerSpan = {
  acknowledged: number
  /** The longest time without an acknowledged payment, in milliseconds. */
  gapMs: number
  /**
   * The number of responses by status, except 200. `late` counts payments without a response within the timeout, and `none`
   * counts requests that ended without a response.
   */
  refused: Record<string, number>
}

export type PayerRing = {
  /** Returns the results since the last call, and starts a new span. */
  takeResults(): PayerSpan
  /** Stops once every payment that was started is acknowledged. */
  stop(): Promise<void>
  /**
   * Checks that each acknowledged payment is in its payer's list exactly once. Also checks each customer's balance to the cent:
   * the earlier balance plus received payments, less sent payments. Returns the faults.
   */
  verify(): Promise<string[]>
  /** Returns the number of acknowledged payments since the start. */
  acknowledgedTotal(): number
}

type Payer = {
  browser: Browser
  email: string
  /** The ids of the acknowledged payments. */
  paidIds: string[]
  receivedCount: number
  /** The balance before the trial, in cents. */
  balanceBeforeMinor: number
  /** The outgoing total of the statement before the trial, in cents. */
  outBeforeMinor: number
}

/**
 * Opens customers in a ring. Each sends a cent to the next, and repeats a payment under the same key until the bank
 * acknowledges it.
 */
export async function openPayerRing(url: string): Promise<PayerRing> {
  const origin = `http://localhost:${new URL(url).port}`
  const payers: Payer[] = []
  for (let place = 0; place < PAYERS; place += 1) {
    const browser = openBrowser(() => url, origin)
    const address = { 'x-forwarded-for': `198.51.100.${place + 1}` }
    const visit = await browser.post('/api/v1/session/visit', undefined, { headers: address })
    if (!visit.ok) throw new Error(`The bank refused a visit: ${await visit.text()}`)
    const { customer } = await read<{ customer: { email: string } }>(browser, '/api/v1/me')
    const balanceBeforeMinor = await balanceOf(browser)
    const { outMinor: outBeforeMinor } = await read<StatementTotals>(browser, await statementPathOf(browser))
    const before = { balanceBeforeMinor, outBeforeMinor }
    payers.push({ browser, email: customer.email, paidIds: [], receivedCount: 0, ...before })
  }

  const statementPath = await statementPathOf((payers[0] as Payer).browser)
  const staleStatements: string[] = []
  let lastAt = performance.now()
  let span: PayerSpan = { acknowledged: 0, gapMs: 0, refused: {} }
  const recordRefusal = (status: string): void => {
    span.refused[status] = (span.refused[status] ?? 0) + 1
  }
  const sinceLastMs = (): number => performance.now() - lastAt
  let isGoing = true

  async function pay(payer: Payer, payee: Payer): Promise<void> {
    const key = randomUUID()
    const body = JSON.stringify({ recipient: payee.email, amountMinor: 1, asset: 'USD' })
    for (;;) {
      try {
        const sending = payer.browser.send('POST', '/api/v1/transfers', body, { key })
        const response = await Promise.race([sending, sleep(PATIENCE_MS, null)])
        if (response?.status === 200) {
          const { transaction } = (await response.json()) as { transaction: { transactionId: string } }
          payer.paidIds.push(transaction.transactionId)
          payee.receivedCount += 1
          span.acknowledged += 1
          span.gapMs = Math.max(span.gapMs, sinceLastMs())
          lastAt = performance.now()
          return
        }
        recordRefusal(response ? String(response.status) : 'late')
        await response?.text()
      } catch {
        recordRefusal('none')
      }
      await sleep(TRY_AGAIN_MS)
    }
  }

  /**
   * Checks that a payer's statement has all acknowledged payments. The bank may read the statement from the primary or from a
   * standby.
   */
  async function checkStatement({ browser, email, paidIds, outBeforeMinor }: Payer): Promise<void> {
    const response = await browser.get(statementPath).catch(() => null)
    if (response?.status !== 200) {
      recordRefusal(response ? String(response.status) : 'none')
      await response?.text()
      return
    }
    const { outMinor } = (await response.json()) as StatementTotals
    if (outMinor !== outBeforeMinor + paidIds.length)
      staleStatements.push(`${email}: the statement has ${outMinor - outBeforeMinor} of ${paidIds.length} payments`)
  }

  const work = payers.map(async (payer, place) => {
    const payee = payers[(place + 1) % PAYERS] as Payer
    while (isGoing) {
      await pay(payer, payee)
      if (payer.paidIds.length % STATEMENT_EVERY === 0) await checkStatement(payer)
    }
  })

  return {
    takeResults: () => {
      const finished = { ...span, gapMs: Math.max(span.gapMs, sinceLastMs()) }
      span = { acknowledged: 0, gapMs: 0, refused: {} }
      return finished
    },
    stop: async () => {
      isGoing = false
      await Promise.all(work)
    },
    verify: async () => [...staleStatements, ...(await Promise.all(payers.map(faultsOf))).flat()],
    acknowledgedTotal: () => payers.reduce((sum, { paidIds }) => sum + paidIds.length, 0),
  }
}

/** Compares a payer's list of payments and balance with the acknowledged payments. Returns the faults. */
async function faultsOf(payer: Payer): Promise<string[]> {
  const { browser, email, paidIds, receivedCount, balanceBeforeMinor } = payer
  const faults: string[] = []
  const listedIds = await listSends((path) => read(browser, path))
  if (new Set(paidIds).size !== paidIds.length) faults.push(`${email}: two payments have the same id`)
  const missingIds = paidIds.filter((id) => !listedIds.includes(id))
  if (missingIds.length > 0) faults.push(`${email}: ${missingIds.length} payments that were acknowledged are lost`)
  if (listedIds.length !== paidIds.length)
    faults.push(`${email}: paid ${paidIds.length} times, and the list has ${listedIds.length}`)
  const nowMinor = await balanceOf(browser)
  const expectedMinor = balanceBeforeMinor - paidIds.length + receivedCount
  if (nowMinor !== expectedMinor) faults.push(`${email}: has ${nowMinor} cents instead of ${expectedMinor}`)
  return faults
}

/** Reads a path, and retries while the bank is unavailable. */
async function read<Body>(browser: Browser, path: string): Promise<Body> {
  for (;;) {
    const response = await browser.get(path).catch(() => null)
    if (response?.status === 200) return (await response.json()) as Body
    await response?.text()
    await sleep(TRY_AGAIN_MS)
  }
}

async function balanceOf(browser: Browser): Promise<number> {
  const { account } = await read<{ account: { availableMinor: number } }>(browser, '/api/v1/dashboard')
  return account.availableMinor
}

type StatementTotals = { outMinor: number }

/** Returns the path of a customer's statement of this month. */
async function statementPathOf(browser: Browser): Promise<string> {
  const { today } = await read<{ today: string }>(browser, '/api/v1/statements')
  return `/api/v1/statements/current?from=${today.slice(0, 8)}01&to=${today}`
}
