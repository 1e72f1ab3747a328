import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { measureBank } from '#server/boot/telemetry.ts'
import { lateNames } from '#server/platform/lateness.ts'
import { startJobs, type Jobs } from '#server/platform/jobs/worker.ts'
import { openPrometheus, type Prometheus } from '#server/platform/telemetry/prometheus.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'

let prometheus: Prometheus
let server: PeopleServer
let jobs: Jobs
let stop: () => Promise<void>
let ann: TestPerson

beforeAll(async () => {
  prometheus = openPrometheus(pino({ level: 'silent' }))
  server = await peopleServer({ measures: prometheus, clock: 'database' })
  stop = await measureBank(server.deps, { version: '1.2.3', commit: 'abc1234' })
  jobs = await startJobs(server.deps)
  ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  await ann.fund(100_00)
})
afterAll(async () => {
  await jobs.stop()
  await stop()
  await auditTestBooks(server)
  await server.close()
})

/** Returns the value of the series whose line begins with this text, or the sum of several. */
async function reading(start: string): Promise<number> {
  const lines = (await prometheus.text()).split('\n').filter((line) => line.startsWith(start))
  expect(lines, start).not.toEqual([])
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

const send = (amountMinor: number) =>
  ann.browser.post(
    '/api/v1/transfers',
    { recipient: 'stranger@example.net', amountMinor, asset: 'USD' },
    { key: randomUUID() },
  )

test('a payment appears in the metrics of requests, the ledger, connections, money and jobs', async () => {
  const before = await reading('alder_ledger_batch_operations_count')
  expect((await send(40_00)).status).toBe(200)
  const route = 'slice="payments",route="/api/v1/transfers",method="POST",status="2xx"'
  expect(await reading(`alder_http_request_duration_seconds_count{${route}}`)).toBe(1)
  expect(await reading('alder_ledger_batch_operations_count')).toBeGreaterThan(before)
  expect(await reading('alder_ledger_decide_seconds_count')).toBe(await reading('alder_ledger_batch_seconds_count'))
  expect(await reading('alder_pool_wait_seconds_count{pool="riders"}')).toBeGreaterThan(0)
  expect(await reading('alder_pool_connections{pool="payments"')).toBeGreaterThan(0)
  expect(await reading('alder_pool_connections{pool="jobs"')).toBeGreaterThan(0)
  expect(await reading('alder_share_running{share="payments"}')).toBe(0)
  await expect
    .poll(async () =>
      (await prometheus.text()).includes(
        'alder_job_duration_seconds_count{name="payments.mail_claim",outcome="done"} 1',
      ),
    )
    .toBe(true)
})

test('refusals of requests and of the ledger are counted by their codes', async () => {
  await expectRefusal(await send(90_00), 'insufficient_funds')
  expect(await reading('alder_http_refusals_total{slice="payments",code="insufficient_funds"}')).toBe(1)
  expect(await reading('alder_ledger_refusals_total{code="insufficient_funds"}')).toBeGreaterThan(0)
})

test('the figures read from the database have an age and a value', async () => {
  const samples = ['ready', 'jobs', 'money']
  for (const sample of samples) expect(await reading(`alder_sample_age_seconds{sample="${sample}"}`)).toBeLessThan(60)
  expect(await reading('alder_ready')).toBe(1)
  expect(await reading('alder_build_info{version="1.2.3",commit="abc1234",mode="sample",migrations="')).toBe(1)
  // All accounts of an asset add up to zero.
  const ofBank = [...(await prometheus.text()).matchAll(/^alder_money_balance_minor\{.*asset="USD"\} (\S+)$/gm)]
  expect(ofBank.length).toBeGreaterThan(10)
  const sum = ofBank.reduce((total, [, value]) => total + Number(value), 0)
  expect(await reading('alder_money_customers_minor{asset="USD"}')).toBe(sum === 0 ? 0 : -sum)
})

test('each kind of overdue work has a series, and so has each outbox', async () => {
  for (const name of lateNames(server.deps.slices)) expect(await reading(`alder_late{name="${name}"}`)).toBe(0)
  const outboxes = ['mail', 'texts', 'push', 'collections', 'payouts', 'returns', 'mandates', 'debits']
  for (const name of outboxes) expect(await reading(`alder_outbox_oldest_seconds{outbox="${name}"}`)).toBe(0)
  expect(await reading('alder_jobs_failed{name="mail.deliver"}')).toBe(0)
})

test('overdue work is shown by its name', async () => {
  const { lateness } = server.deps
  Object.assign(lateness, { late: ['jobs failed'], at: new Date() })
  expect(await reading('alder_late{name="jobs failed"}')).toBe(1)
  expect(await reading('alder_late{')).toBe(1)
  Object.assign(lateness, { late: [] })
})

test('reading the metrics never waits for the database, and never delays requests', async () => {
  const { pools } = server.deps
  const heldClient = await pools.metrics.pool.connect()
  expect(await reading('alder_pool_connections{pool="metrics",state="used"}')).toBe(1)
  expect(await ann.balanceMinor()).toBeGreaterThan(0)
  heldClient.release()
})

/** Sends a request as a client that is not a browser: with any method and any target. */
function ask(method: string, path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const outgoing = request(`${server.url}${path}`, { method, agent: false }, (answer) => {
    answer.resume().on('end', resolve)
  })
  outgoing.on('error', reject).end()
  return promise
}

test('requests for unknown paths create no series', async () => {
  const series = async () => (await prometheus.text()).split('\n').filter((line) => line.startsWith('alder_')).length
  const everything = async (round: string) => {
    for (const method of ['GET', 'POST', 'PURGE', 'PROPFIND', 'M-SEARCH', 'HEAD', 'OPTIONS']) {
      for (const path of [
        `/${round}`,
        `/api/v1/${round}`,
        `/api/v1/transfers/${round}`,
        `/hooks/${round}`,
        `/api/${round}/x`,
      ])
        await ask(method, path)
    }
  }
  await everything('first')
  const before = await series()
  for (let round = 0; round < 8; round++) await everything(`more-${round}-${randomUUID()}`)
  expect(await series()).toBe(before)
  const text = await prometheus.text()
  expect(text).not.toContain('more-')
  expect(text).not.toContain(ann.customer.id)
  expect(text).not.toContain('example.')
})
