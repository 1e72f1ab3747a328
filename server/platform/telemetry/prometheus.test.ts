import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openPrometheus } from '#server/platform/telemetry/prometheus.ts'
import { METRICS } from '#server/platform/telemetry/catalog.ts'

const silentLog = pino({ level: 'silent' })

test('the number of series of a metric is limited for any number of label values', async () => {
  const prometheus = openPrometheus(silentLog, { most: 5 })
  for (let index = 0; index < 100; index++)
    prometheus.count('alder_http_refusals_total', { slice: `slice ${index}`, code: 'not_found' })
  const lines = (await prometheus.text()).split('\n').filter((line) => line.startsWith('alder_http_refusals_total{'))
  expect(lines).toHaveLength(6)
  expect(lines).toContain('alder_http_refusals_total{slice="other",code="other"} 95')
})

test('counters exist as zero before their first event, so that the first event is an increase', async () => {
  const prometheus = openPrometheus(silentLog)
  prometheus.begin('alder_ledger_retries_total', { reason: 'lock' })
  prometheus.begin('alder_job_duration_seconds', { name: 'mail.deliver', outcome: 'failed' })
  const text = await prometheus.text()
  expect(text).toContain('alder_ledger_retries_total{reason="lock"} 0\n')
  expect(text).toContain('alder_job_duration_seconds_count{name="mail.deliver",outcome="failed"} 0\n')
})

test('a figure that cannot be read affects no other, and is logged once', async () => {
  const logged: string[] = []
  const prometheus = openPrometheus(pino({ base: null }, { write: (line) => logged.push(line) }))
  prometheus.watch('alder_live_streams', () => {
    throw new Error('gone')
  })
  prometheus.observe('alder_ledger_batch_seconds', { queue: 'posts' }, Number.NaN)
  prometheus.count('alder_log_lines_total', { level: 'warn', who: 'ann' } as never)
  expect(await prometheus.text()).toContain('alder_ready')
  expect(logged).toHaveLength(1)
})

test('readings with the same labels add up, and replace earlier ones', async () => {
  const prometheus = openPrometheus(silentLog)
  let waiting = 2
  for (const more of [0, 1])
    prometheus.watch('alder_pool_waiting', () => [{ labels: { pool: 'riders' }, value: waiting + more }])
  expect(await prometheus.text()).toContain('alder_pool_waiting{pool="riders"} 5')
  waiting = 0
  expect(await prometheus.text()).toContain('alder_pool_waiting{pool="riders"} 1')
})

test('a gauge without a reading has no value, because alerts would see zero as a reading', async () => {
  const prometheus = openPrometheus(silentLog)
  expect(await prometheus.text()).not.toMatch(/^alder_replica_used /m)
  let used = [{ labels: {}, value: 1 }]
  prometheus.watch('alder_replica_used', () => used)
  expect(await prometheus.text()).toContain('\nalder_replica_used 1\n')
  used = []
  expect(await prometheus.text()).not.toMatch(/^alder_replica_used /m)
})

test('every metric has a description, and only counters end in _total', async () => {
  const text = await openPrometheus(silentLog).text()
  for (const [name, { kind, help }] of Object.entries(METRICS)) {
    expect(text).toContain(`# TYPE ${name} ${kind}`)
    expect(help).toMatch(/^[A-Z1].*[^.]$/)
    expect(name.endsWith('_total')).toBe(kind === 'counter')
  }
})
