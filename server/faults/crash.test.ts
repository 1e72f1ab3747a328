import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { endAll, isReady, startBank, until } from '#server/faults/bank-process.ts'
import { openCardShops } from '#server/test/card-shops.ts'
import { openPayers } from '#server/faults/payers.ts'
import { makeUsedFolder, type UsedFolder } from '#server/faults/used-folder.ts'

/** What the issue asks: whatever happened, the bank serves again within this time. */
const RECOVERY_MS = 10_000
const ACKNOWLEDGED = 150

let used: UsedFolder
beforeAll(async () => {
  used = await makeUsedFolder()
})
afterAll(() => used.remove())

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'alder-faults-'))
  used.copyTo(dir)
})
afterEach(async () => {
  await endAll()
  rmSync(dir, { recursive: true, force: true })
})

const postmasterPid = (): number => Number(readFileSync(join(dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])

test(
  'kill -9 of the server under load: nothing acknowledged is lost, nothing is there twice',
  { timeout: 60_000 },
  async () => {
    const first = await startBank({ dir })
    const payers = await openPayers(first.url)
    const load = payers.load()
    await until('enough was acknowledged', 20_000, () => load.acknowledged() >= ACKNOWLEDGED)
    await first.end('SIGKILL')
    await load.stop()

    const second = await startBank({ dir })
    expect(second.startMs).toBeLessThan(RECOVERY_MS)
    await payers.verify(second.url)
    expect(await second.end('SIGTERM')).toBe(0)
  },
)

test('kill -9 of the postmaster under load: the server recovers by itself', { timeout: 60_000 }, async () => {
  const bank = await startBank({ dir })
  const payers = await openPayers(bank.url)
  const load = payers.load()
  for (const share of [1, 2]) {
    await until('enough was acknowledged', 20_000, () => load.acknowledged() >= (ACKNOWLEDGED * share) / 2)
    process.kill(postmasterPid(), 'SIGKILL')
    const before = load.acknowledged()
    await until('the bank takes money again', RECOVERY_MS, () => load.acknowledged() > before + 16)
  }
  await load.stop()
  await until('the bank is ready', RECOVERY_MS, () => isReady(bank.url))
  await payers.verify(bank.url)
  expect(await bank.end('SIGTERM')).toBe(0)
})

test('kill -9 of both: the next start serves all that was acknowledged', { timeout: 60_000 }, async () => {
  const first = await startBank({ dir })
  const payers = await openPayers(first.url)
  const load = payers.load()
  await until('enough was acknowledged', 20_000, () => load.acknowledged() >= ACKNOWLEDGED)
  const postmaster = postmasterPid()
  first.child.kill('SIGKILL')
  process.kill(postmaster, 'SIGKILL')
  await load.stop()

  const second = await startBank({ dir })
  expect(second.startMs).toBeLessThan(RECOVERY_MS)
  await payers.verify(second.url)
})

test(
  'kill -9 between a card payment and its capture: what was answered stays, and the rest is repeated once',
  { timeout: 60_000 },
  async () => {
    const secret = 'a secret that a card scheme shares with us'
    const env = { CARD_SCHEME_SECRET: secret }
    const first = await startBank({ dir, env })
    const shops = await openCardShops(first.url, secret)
    const load = shops.load()
    await until('enough was captured', 20_000, () => load.captured() >= 40)
    await first.end('SIGKILL')
    await load.stop()

    const second = await startBank({ dir, env })
    await shops.verify(second.url)
    expect(await second.end('SIGTERM')).toBe(0)
  },
)
