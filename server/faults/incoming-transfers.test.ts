import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AccountDetails } from '#contract/account-details.ts'
import type { Dashboard } from '#contract/accounts.ts'
import { endAll, startBank, WITHOUT_LIMITS, until } from '#server/faults/bank-process.ts'
import { makePopulatedFolder, type PopulatedFolder } from '#server/faults/populated-folder.ts'
import { openBrowser } from '#server/test/browser.ts'
import { openRail, type TestRail } from '#server/test/rail.ts'

const run = promisify(execFile)

const TRANSFERS = 120
const AT_ONCE = 8
/** Jobs of a worker that died are run again within this time. */
const CUT_OFF_MS = 60_000

let populatedFolder: PopulatedFolder
let dir: string
let rail: TestRail
beforeAll(async () => {
  populatedFolder = await makePopulatedFolder()
})
afterAll(() => populatedFolder.remove())
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'alder-faults-'))
  populatedFolder.copyTo(dir)
  rail = await openRail()
})
afterEach(async () => {
  await endAll()
  await rail.close()
  rmSync(dir, { recursive: true, force: true })
})

type Transfer = { received: object; recalled: object | null; amountMinor: number; isForNobody: boolean }

/** Every third transfer is recalled, and every fifth has an unknown account. */
function transferTo(accountNumber: string, index: number): Transfer {
  const moved = { id: randomUUID(), amountMinor: 1_00 + index, asset: 'USD' }
  const isForNobody = index % 5 === 0
  const received = {
    eventId: randomUUID(),
    type: 'transfer.received',
    ...moved,
    accountNumber: isForNobody ? '12' : accountNumber,
    payerName: `Payer ${index}`,
  }
  const recalled = index % 3 === 0 ? { eventId: randomUUID(), type: 'transfer.recalled', ...moved } : null
  return { received, recalled, amountMinor: moved.amountMinor, isForNobody }
}

test(
  'kill -9 while transfers arrive, are returned and recalled: each is applied once',
  { timeout: 180_000 },
  async () => {
    const env = { RAIL_URL: rail.url, RAIL_SECRET: rail.secret }
    const firstBank = await startBank({ main: WITHOUT_LIMITS, dir, env })
    let bankUrl = firstBank.url
    const browser = openBrowser(() => bankUrl)
    await browser.post('/api/v1/session/visit')
    const balance = async () =>
      ((await (await browser.get('/api/v1/dashboard')).json()) as Dashboard).account.availableMinor
    const answer = await browser.get('/api/v1/account-details')
    const { details } = (await answer.json()) as { details: AccountDetails }
    const balanceBefore = await balance()
    const transfers = Array.from({ length: TRANSFERS }, (_, index) => transferTo(details.accountNumber, index))
    let answeredCount = 0
    let isStopped = false
    /** Sends an event until it gets a response, as a provider does. The bank may be down meanwhile. */
    const sendEvent = async (event: object | null): Promise<void> => {
      while (event && !isStopped) {
        const response = await rail.tell(`${bankUrl}/hooks/rails`, event).catch(() => null)
        if (response?.status === 200) break
        await sleep(50)
      }
      answeredCount += 1
    }
    const tellAll = async () => {
      const remainingTransfers = transfers.values()
      const repeatTransfer = async () => {
        // All workers share one list. For every second transfer the recall is sent first.
        for (const { received, recalled, amountMinor } of remainingTransfers) {
          const events = amountMinor % 2 === 0 ? [received, recalled] : [recalled, received]
          for (const event of events) await sendEvent(event)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, repeatTransfer))
    }
    const tellEvents = tellAll()
    await until('some transfers are answered', 30_000, () => answeredCount > TRANSFERS / 2)
    await firstBank.end('SIGKILL')
    const secondBank = await startBank({ main: WITHOUT_LIMITS, dir, env })
    bankUrl = secondBank.url
    await tellEvents
    // All events are sent again, because a provider does not know which ones were processed.
    await tellAll()
    isStopped = true

    const credited = transfers.filter(({ recalled, isForNobody }) => !recalled && !isForNobody)
    expect(await balance()).toBe(balanceBefore + credited.reduce((sum, { amountMinor }) => sum + amountMinor, 0))
    const toReturn = transfers.filter(({ recalled, isForNobody }) => !recalled && isForNobody)
    const sentBack = () => new Set(rail.requests.filter(({ path }) => path === '/returns').map(({ id }) => id))
    await until('all transfers to unknown accounts are returned', CUT_OFF_MS, () => sentBack().size >= toReturn.length)
    for (const { id, key } of rail.requests) expect(key).toBe(id)
    const readHeldTransfers = async () => {
      const { stdout } = await run(process.execPath, ['server/cli/books.ts'], {
        env: { ...process.env, DATA_DIR: dir },
      })
      return /transfers_to_return.*/.exec(stdout)?.[0] ?? ''
    }
    await until('no transfer is held', CUT_OFF_MS, async () => !/[1-9]\d*\.\d\d/.test(await readHeldTransfers()))
    expect(await secondBank.end('SIGTERM')).toBe(0)
  },
)
