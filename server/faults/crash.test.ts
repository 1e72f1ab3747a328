import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { Investments } from '#contract/investing.ts'
import type { LoanDetails, LoanOverview } from '#contract/loans.ts'
import { isReady, startBank, WITHOUT_LIMITS, until } from '#server/faults/bank-process.ts'
import { type Browser, openBrowser } from '#server/test/browser.ts'
import { openCardShops } from '#server/test/card-shops.ts'
import { investorOf } from '#server/test/investor.ts'
import { openFaultPayers } from '#server/faults/payers.ts'
import { eachInPopulatedFolder } from '#server/faults/populated-folder.ts'

const run = promisify(execFile)

/** The requirement: after any crash the bank serves again within this time. */
const RECOVERY_MS = 10_000
/** Jobs of a worker that died are run again within this time. */
const CUT_OFF_MS = 40_000
const ACKNOWLEDGED = 150

let dir: string
eachInPopulatedFolder((fresh) => {
  dir = fresh
})

const postmasterPid = (): number => Number(readFileSync(join(dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])

test('kill -9 of the server under load loses and duplicates no acknowledged operation', async () => {
  const firstBank = await startBank({ main: WITHOUT_LIMITS, dir })
  const payers = await openFaultPayers(firstBank.url)
  const load = payers.load()
  await until('enough operations are acknowledged', 20_000, () => load.acknowledged() >= ACKNOWLEDGED)
  await firstBank.end('SIGKILL')
  await load.stop()

  const secondBank = await startBank({ main: WITHOUT_LIMITS, dir })
  expect(secondBank.startMs).toBeLessThan(RECOVERY_MS)
  await payers.verify(secondBank.url)
  expect(await secondBank.end('SIGTERM')).toBe(0)
})

test('kill -9 of the postmaster under load: the server recovers by itself', async () => {
  const bank = await startBank({ main: WITHOUT_LIMITS, dir })
  const payers = await openFaultPayers(bank.url)
  const load = payers.load()
  for (const share of [1, 2]) {
    await until('enough operations are acknowledged', 20_000, () => load.acknowledged() >= (ACKNOWLEDGED * share) / 2)
    process.kill(postmasterPid(), 'SIGKILL')
    const before = load.acknowledged()
    await until('the bank accepts payments again', RECOVERY_MS, () => load.acknowledged() > before + 16)
  }
  await load.stop()
  await until('the bank is ready', RECOVERY_MS, () => isReady(bank.url))
  await payers.verify(bank.url)
  expect(await bank.end('SIGTERM')).toBe(0)
})

test('kill -9 of both: the next start has all acknowledged operations', async () => {
  const firstBank = await startBank({ main: WITHOUT_LIMITS, dir })
  const payers = await openFaultPayers(firstBank.url)
  const load = payers.load()
  await until('enough operations are acknowledged', 20_000, () => load.acknowledged() >= ACKNOWLEDGED)
  const postmaster = postmasterPid()
  firstBank.child.kill('SIGKILL')
  process.kill(postmaster, 'SIGKILL')
  await load.stop()

  const secondBank = await startBank({ main: WITHOUT_LIMITS, dir })
  expect(secondBank.startMs).toBeLessThan(RECOVERY_MS)
  await payers.verify(secondBank.url)
})

test('kill -9 between a card payment and its capture: answered messages stay, and the others are repeated once', async () => {
  const secret = 'a secret that a card scheme shares with us'
  const env = { CARD_SCHEME_SECRET: secret }
  const firstBank = await startBank({ main: WITHOUT_LIMITS, dir, env })
  const shops = await openCardShops(firstBank.url, secret)
  const load = shops.load()
  await until('enough payments are captured', 20_000, () => load.captured() >= 40)
  await firstBank.end('SIGKILL')
  await load.stop()

  const secondBank = await startBank({ main: WITHOUT_LIMITS, dir, env })
  await shops.verify(secondBank.url)
  expect(await secondBank.end('SIGTERM')).toBe(0)
})

test(
  'kill -9 while fund orders are filled and an installment is collected: each is done once',
  { timeout: 120_000 },
  async () => {
    const firstBank = await startBank({ main: WITHOUT_LIMITS, dir })
    let place = firstBank.url
    const browser = openBrowser(() => place)
    await browser.post('/api/v1/session/visit')
    const investor = investorOf({ browser })
    await investor.prepare()
    const portfolioBefore = await investor.portfolio()
    const orders = await Promise.all(Array.from({ length: 12 }, () => investor.buy('FUND_BALANCED', 25_00)))
    const loan = await borrow(browser)
    // The response comes once the date has moved. Orders and installments are then due and run one after the other.
    await browser.post('/api/v1/sample/clock', { months: 1 })
    await browser.post('/api/v1/sample/clock', { days: 1 })
    await firstBank.end('SIGKILL')

    const secondBank = await startBank({ main: WITHOUT_LIMITS, dir })
    place = secondBank.url
    const readFilledOrders = async () =>
      (await investor.history('?limit=50')).orders.filter(({ id }) => orders.some((order) => order.id === id))
    await until('all orders are filled', CUT_OFF_MS, async () => (await readFilledOrders()).length === orders.length)
    const boughtUnits = (await readFilledOrders()).reduce((sum, { unitsMinor }) => sum + (unitsMinor ?? 0), 0)
    const unitsIn = ({ holdings }: Investments) =>
      holdings.find(({ fund }) => fund === 'FUND_BALANCED')?.unitsMinor ?? 0
    expect(unitsIn(await investor.portfolio())).toBe(unitsIn(portfolioBefore) + boughtUnits)
    await until('the installment is collected', CUT_OFF_MS, async () => (await loan()).payments.length > 0)
    const { payments, instalmentMinor, owed } = await loan()
    expect(payments.map(({ amountMinor }) => amountMinor)).toEqual([instalmentMinor])
    expect(owed.principalMinor).toBe(5_000_00 - (payments[0]?.principalMinor ?? 0))
    await run(process.execPath, ['server/cli/books.ts'], { env: { ...process.env, DATA_DIR: dir } })
    expect(await secondBank.end('SIGTERM')).toBe(0)
  },
)

/** Borrows $5,000 for a year; returns a function that reads the loan. */
async function borrow(browser: Browser): Promise<() => Promise<LoanDetails>> {
  const read = async <Content>(path: string) => (await (await browser.get(`/api/v1/loans${path}`)).json()) as Content
  await browser.post('/api/v1/loan-applications', { amountMinor: 5_000_00, asset: 'USD', months: 12 })
  await until(
    'the application is decided',
    5_000,
    async () => (await read<LoanOverview>('')).application?.status === 'offered',
  )
  const { application } = await read<LoanOverview>('')
  expect((await browser.post(`/api/v1/loan-applications/${application?.id}/accept`)).status).toBe(200)
  const [loan] = (await read<LoanOverview>('')).loans
  return () => read<LoanDetails>(`/${loan?.id}`)
}
