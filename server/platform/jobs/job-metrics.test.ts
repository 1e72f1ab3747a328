import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendMail } from '#server/mail/service.ts'
import { runOn } from '#server/platform/db/run.ts'
import { jobGauges } from '#server/platform/jobs/job-metrics.ts'
import { openPrometheus } from '#server/platform/telemetry/prometheus.ts'
import { openGaugeReaders } from '#server/platform/telemetry/gauge-readers.ts'
import { testDeps, type TestDeps } from '#server/test/bank.ts'

let bank: TestDeps
beforeAll(async () => {
  bank = await testDeps()
})
afterAll(() => bank.close())

const JOBS = 'graphile_worker._private_jobs'
const query = (text: string) => runOn(bank.deps.pool)(text)

/** Returns the metrics of a single mail's job after a change of its state. */
async function standingAfter(change: string): Promise<Record<string, number>> {
  const { deps } = bank
  const prometheus = openPrometheus(pino({ level: 'silent' }))
  const sample = jobGauges(runOn(deps.pools.metrics.pool), prometheus, deps.slices)
  await query(`DELETE FROM ${JOBS}`)
  await sendMail(deps, deps.db, { to: 'ann@example.com', kind: 'welcome', params: {} })
  await query(`UPDATE ${JOBS} SET created_at = now() - interval '2 hours', ${change}`)
  await sample.read()
  const text = await prometheus.text()
  const value = (series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')
        .at(-1),
    )
  const ofJob = (metric: string) => value(`alder_jobs_${metric}{name="mail.deliver"}`)
  return {
    due: ofJob('due'),
    retried: ofJob('retried'),
    failed: ofJob('failed'),
    dueMinutes: Math.round(ofJob('oldest_due_seconds') / 60),
    outboxMinutes: Math.round(value('alder_outbox_oldest_seconds{outbox="mail"}') / 60),
  }
}

const NONE = { due: 0, retried: 0, failed: 0, dueMinutes: 0, outboxMinutes: 0 }

test.each([
  ['is due', "run_at = now() - interval '1 hour'", { due: 1, dueMinutes: 60, outboxMinutes: 120 }],
  [
    'failed and is to be retried',
    "attempts = 2, run_at = now() + interval '1 hour'",
    { retried: 1, outboxMinutes: 120 },
  ],
  ['is running', "locked_at = now(), locked_by = 'worker'", { outboxMinutes: 120 }],
  ['failed permanently', 'attempts = max_attempts', { failed: 1, outboxMinutes: 120 }],
  ['is scheduled for later', "run_at = now() + interval '1 hour'", {}],
])('counts a mail whose job %s', async (_state, change, parsedState) => {
  expect(await standingAfter(change)).toEqual({ ...NONE, ...parsedState })
})

test('a failing sample affects no other, and its age shows the failure', async () => {
  const prometheus = openPrometheus(pino({ level: 'silent' }))
  const readNames: string[] = []
  const stop = openGaugeReaders(prometheus, [
    { name: 'failing', everyMs: 10, read: () => Promise.reject(new Error('away')) },
    { name: 'working', everyMs: 10, read: async () => void readNames.push('working') },
  ])
  await expect.poll(() => readNames.length).toBeGreaterThan(5)
  await stop()
  const ages = [...(await prometheus.text()).matchAll(/^alder_sample_age_seconds\{sample="(\w+)"\} (\S+)$/gm)]
  const [failing = 0, working = 0] = ages.map(([, , value]) => Number(value))
  expect(ages.map(([, name]) => name)).toEqual(['failing', 'working'])
  expect(failing).toBeGreaterThan(working)
  const before = readNames.length
  await new Promise((resolve) => setTimeout(resolve, 40))
  expect(readNames.length).toBe(before)
})
