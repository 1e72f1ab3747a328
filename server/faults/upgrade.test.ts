import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { prepareDatabase } from '#server/boot/prepare.ts'
import {
  type BankProcess,
  endAll,
  isReady,
  NotStarted,
  startBank,
  FORMER_WITHOUT_LIMITS,
  WITHOUT_LIMITS,
  until,
} from '#server/faults/bank-process.ts'
import { openFaultPayers, type FaultPayers } from '#server/faults/payers.ts'
import { auditBooks } from '#server/ledger/audit.ts'
import { migrationNames, levelOf, readMigrations } from '#server/platform/db/migration-files.ts'
import { runOn } from '#server/platform/db/run.ts'
import { type Balancer, openBalancer } from '#server/test/balancer.ts'
import { openBrowser } from '#server/test/browser.ts'
import { testDatabase, type TestDatabase } from '#server/test/database.ts'
import { pathToFileURL } from 'node:url'

/** The folder of the last release, from `npm run test:upgrade`. */
const RELEASE = process.env['ALDER_UPGRADE_FROM']

const BANK_SECRET = 'the secret of a bank that is upgraded, long enough'
const LIMIT = { timeout: 600_000 }
/** The time that the payers run between two steps, in milliseconds. */
const STEP_MS = 1_500

describe.skipIf(!RELEASE)('from the last release to this version', LIMIT, () => {
  let dir: string
  let database: TestDatabase
  let balancer: Balancer
  const startedBanks: BankProcess[] = []

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'alder-faults-'))
    database = await testDatabase('template0')
    balancer = await openBalancer()
  })
  afterEach(async () => {
    await endAll()
    balancer.close()
    await database.drop()
    rmSync(dir, { recursive: true, force: true })
  })

  const env = () => ({
    BANK_SECRET,
    DATABASE_URL: database.ownerUrl,
    PUBLIC_URL: balancer.url,
    TRUST_PROXY: 'true',
    LOG_LEVEL: 'error',
  })
  const open = async (cwd?: string): Promise<BankProcess> => {
    const main = existsSync(join(cwd ?? '', WITHOUT_LIMITS)) ? WITHOUT_LIMITS : FORMER_WITHOUT_LIMITS
    const bank = await startBank({ dir, env: env(), main, cwd })
    startedBanks.push(bank)
    await until('the server is ready', 20_000, () => isReady(bank.url))
    return bank
  }
  const newer = () => open()
  const older = () => open(RELEASE)

  /** Returns whether the old release can serve on this version's tables, from the declarations of the later migrations. */
  async function isCompatible(): Promise<boolean> {
    const folder = pathToFileURL(join(RELEASE ?? '', 'server/platform/db/migrations/'))
    const names = await migrationNames(folder)
    const level = levelOf(names.at(-1) ?? '')
    return (await readMigrations()).every(({ name, compatibleFrom }) => names.includes(name) || compatibleFrom <= level)
  }

  async function booksAreClean(): Promise<void> {
    const client = new pg.Client({ connectionString: database.ownerUrl })
    await client.connect()
    expect((await auditBooks(runOn(client))).problems).toEqual([])
    await client.end()
  }

  test('servers are replaced one by one, and back: no request is dropped, and no payment is duplicated', async () => {
    if (!(await isCompatible())) return
    const [first, second] = [await older(), await older()]
    await balancer.serve([first.url, second.url])
    const payers = await openFaultPayers(balancer.url)
    const watcher = watch(balancer.url, payers)

    const third = await newer()
    await sleep(STEP_MS)
    await balancer.serve([second.url, third.url])
    expect(await first.end('SIGTERM')).toBe(0)
    await sleep(STEP_MS)
    const fourth = await newer()
    await balancer.serve([third.url, fourth.url])
    expect(await second.end('SIGTERM')).toBe(0)
    await sleep(STEP_MS)
    // The deployment goes back one version, for example because of an unexpected fault.
    const back = await older()
    await balancer.serve([back.url, fourth.url])
    expect(await third.end('SIGTERM')).toBe(0)
    await sleep(STEP_MS)

    const statuses = await watcher.stop()
    expect(payers.acknowledged()).toBeGreaterThan(100)
    expect([...statuses.keys()]).toEqual([200])
    await payers.verify(balancer.url)
    await booksAreClean()
  })

  test('the release works on the tables of this version, or reports that it cannot', async () => {
    const bank = await older()
    await balancer.serve([bank.url])
    const payers = await openFaultPayers(balancer.url)
    expect(await payers.send()).toBe(200)
    await bank.end('SIGTERM')
    await prepareDatabase({ ownerUrl: database.ownerUrl, secret: BANK_SECRET, mode: 'sample' })
    if (!(await isCompatible())) {
      const refused = await startBank({ dir, env: env(), cwd: RELEASE }).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(NotStarted)
      expect((refused as Error).message).toMatch(/which needs a version with \d{4}: this is Alder /)
      return
    }
    const again = await older()
    await balancer.serve([again.url])
    expect(await payers.send()).toBe(200)
    await journey(balancer.url)
    await payers.verify(balancer.url)
    await booksAreClean()
  })
})

/** Pays and reads until stopped; returns the number of responses per status. */
function watch(url: string, payers: FaultPayers): { stop(): Promise<Map<number | null, number>> } {
  const statuses = new Map<number | null, number>()
  const count = (status: number | null) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
  let isGoing = true
  const paymentLoops = Array.from({ length: 4 }, async () => {
    while (isGoing) count(await payers.send())
  })
  const readLoops = Array.from({ length: 2 }, async () => {
    const reader = openBrowser(() => url)
    count((await reader.post('/api/v1/session/visit')).status)
    while (isGoing)
      for (const path of ['dashboard', 'transactions', 'goals']) count((await reader.get(`/api/v1/${path}`)).status)
  })
  return {
    stop: async () => {
      isGoing = false
      await Promise.all([...paymentLoops, ...readLoops])
      return statuses
    },
  }
}

/** Runs a customer's typical day through the API and checks each response. */
async function journey(url: string): Promise<void> {
  const [ann, ben] = [openBrowser(() => url), openBrowser(() => url)]
  for (const browser of [ann, ben]) expect((await browser.post('/api/v1/session/visit')).status).toBe(200)
  const { customer } = await (await ben.get('/api/v1/me')).json()
  const money = { amountMinor: 10_00, asset: 'USD' }
  const goal = { name: 'Sea', icon: 'plane', targetMinor: 500_00, targetOn: null, lockedUntil: null }
  const steps: [path: string, body: unknown][] = [
    ['top-ups', { ...money, method: 'card' }],
    ['transfers', { ...money, recipient: customer.email }],
    ['transfers', { ...money, recipient: 'nobody@example.com' }],
    ['money-requests', money],
    ['goals', goal],
    [
      'bills',
      { totalMinor: 10_00, asset: 'USD', division: 'equal', people: [{ name: 'Ben', address: customer.email }] },
    ],
    ['sample/charges', {}],
    ['sample/salary', {}],
    ['sample/requests', {}],
  ]
  for (const [path, body] of steps) {
    const answer = await ann.post(`/api/v1/${path}`, body)
    expect([path, answer.status]).toEqual([path, 200])
  }
  const reads = [
    'dashboard',
    'transactions',
    'goals',
    'cards',
    'money-requests',
    'bills',
    'notifications',
    'analytics',
    'me',
  ]
  for (const path of [
    ...reads,
    'transactions?q=sea',
    'statements/current/file?format=pdf&from=2026-08-01&to=2026-08-20',
    'profile/export',
  ]) {
    const answer = await ann.get(`/api/v1/${path}`)
    await answer.arrayBuffer()
    expect([path, answer.status]).toEqual([path, 200])
  }
}
