import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BankProcess, endAll, isReady, startBank, WITHOUT_LIMITS, until } from '#server/faults/bank-process.ts'
import { openFaultPayers } from '#server/faults/payers.ts'
import { openBrowser } from '#server/test/browser.ts'

let dir: string
let bank: BankProcess
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'alder-faults-'))
  bank = await startBank({ main: WITHOUT_LIMITS, dir })
})
afterAll(async () => {
  await endAll()
  rmSync(dir, { recursive: true, force: true })
})

test(
  'an unavailable database: requests get 503 and change nothing, until it is back',
  { timeout: 40_000 },
  async () => {
    const payers = await openFaultPayers(bank.url)
    expect(await payers.send()).toBe(200)

    // PostgreSQL cannot start again without its folder, so it stays down as long as the test needs.
    const folder = join(dir, 'postgres')
    const postmaster = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
    renameSync(folder, `${folder}.away`)
    process.kill(postmaster, 'SIGKILL')
    await until('the bank is not ready', 5_000, async () => (await fetch(`${bank.url}/readyz`)).status === 503)

    const answers = await Promise.all(Array.from({ length: 5 }, () => payers.send()))
    expect(answers).toEqual([503, 503, 503, 503, 503])
    const refused = await openBrowser(() => bank.url).post('/api/v1/session/visit')
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({ error: { code: 'unavailable' } })
    expect((await fetch(`${bank.url}/healthz`)).status).toBe(200)

    renameSync(`${folder}.away`, folder)
    await until('the bank is ready', 10_000, () => isReady(bank.url))
    expect(await payers.send()).toBe(200)
    await payers.verify(bank.url)
  },
)
