import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SLICES } from '#server/api.ts'
import { measureBank } from '#server/boot/telemetry.ts'
import { lateNames } from '#server/platform/lateness.ts'
import type { Slice } from '#server/platform/slice.ts'
import { METRICS, type MetricName } from '#server/platform/telemetry/catalog.ts'
import { openPrometheus } from '#server/platform/telemetry/prometheus.ts'
import { testServer, type TestServer } from '#server/test/server.ts'

const readText = (path: string) => readFileSync(path, 'utf8')
const rules = readText('deploy/monitoring/alerts.yml')
const runbook = readText('docs/runbook.md')

const alerts = rules
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((text) => {
    const fields = text.match(/^(\w+)\n\s+expr: '(.*)'\n\s+for: \d+m\n\s+labels:\n\s+severity: (page|ticket)\n/)
    return { text, name: fields?.[1] ?? text, expression: (fields?.[2] ?? '').replaceAll("''", "'") }
  })

type Panel = { title: string; type: string; targets?: { expr: string }[] }
const dashboard = JSON.parse(readText('deploy/monitoring/dashboard.json')) as { panels: Panel[] }
const dashboardExpressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
const expressions = [...alerts.map(({ expression }) => expression), ...dashboardExpressions]

/** Returns the metrics in an expression, each with its label selectors. */
const readIn = (expression: string) =>
  [...expression.matchAll(/\b((?:alder|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)].map(([, name = '', selected = '']) => ({
    name: name in METRICS ? name : name.replace(/_(bucket|count|sum)$/, ''),
    labels: [...selected.matchAll(/(\w+)(?:=~|!=|=)"/g)].map(([, label = '']) => label),
  }))

/** The labels that Prometheus adds to each series. */
const TARGET = ['job', 'instance', 'le']

describe.each(['sample', 'live'] as const)('a %s bank', (mode) => {
  let server: TestServer
  let stop: () => Promise<void>
  let text = ''
  beforeAll(async () => {
    const prometheus = openPrometheus(pino({ level: 'silent' }))
    server = await testServer({ measures: prometheus, config: { mode } })
    stop = await measureBank(server.deps, { version: '1', commit: 'c' })
    await server.browser().get('/readyz')
    text = await prometheus.text()
  })
  afterAll(async () => {
    await stop()
    await server.close()
  })

  test('has every failure series that alerts count before the first failure', () => {
    for (const { name } of SLICES)
      expect(text).toContain(`alder_http_refusals_total{slice="${name}",code="unexpected"} 0\n`)
    for (const { name } of SLICES.flatMap((slice: Slice) => slice.jobs ?? []))
      expect(text).toContain(`alder_job_duration_seconds_count{name="${name}",outcome="failed"} 0\n`)
    expect(text).toContain('alder_ledger_retries_total{reason="unavailable"} 0\n')
    expect(text).toContain('alder_log_lines_total{level="fatal"} 0\n')
  })

  test('has every metric that an alert or the dashboard reads', () => {
    for (const expression of expressions) {
      const metrics = readIn(expression)
      expect(metrics.length + Number(expression.startsWith('up{')), expression).toBeGreaterThan(0)
      for (const { name } of metrics) expect(text, expression).toContain(`# TYPE ${name} `)
    }
  })
})

test('alerts and panels select only labels that their metrics have', () => {
  for (const expression of expressions) {
    for (const { name, labels } of readIn(expression)) {
      const metricLabels: readonly string[] = METRICS[name as MetricName]?.labels ?? []
      for (const label of labels) expect([...metricLabels, ...TARGET], `${label} in ${expression}`).toContain(label)
    }
  }
})

test('no metric has a label that Prometheus sets on its targets and renames in scraped data', () => {
  for (const [name, { labels }] of Object.entries(METRICS))
    expect(
      labels.filter((label: string) => TARGET.includes(label)),
      name,
    ).toEqual([])
})

test('each alert is complete and has its section of the runbook, and every section has an alert', () => {
  for (const { name, text, expression } of alerts) {
    expect(expression, name).not.toBe('')
    expect(text).toContain(`runbook: docs/runbook.md#${name.toLowerCase()}`)
  }
  const parts = runbook.split(/^## /m).slice(1)
  expect(parts.map((part) => part.split('\n')[0])).toEqual(alerts.map(({ name }) => name))
  for (const part of parts)
    for (const heading of ['**Means.**', '**Look.**', '**Do.**']) expect(part).toContain(heading)
})

const hasPromtool = spawnSync('promtool', ['--version']).status === 0
test.skipIf(!hasPromtool)(`the alerts fire as expected${hasPromtool ? '' : ': skipped, it needs promtool'}`, () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'deploy/monitoring/alerts.test.yml'], {
    encoding: 'utf8',
  })
  expect(`${stdout}${stderr}`).toContain('SUCCESS')
  expect(status).toBe(0)
})

/** Whether an alert's expression selects this name of overdue work. */
const selects = (expression: string, name: string): boolean =>
  [...expression.matchAll(/alder_late\{name(=~?)"([^"]+)"\}/g)].some(([, operator, value = '']) =>
    operator === '=' ? value === name : new RegExp(`^(?:${value})$`).test(name),
  )

test('each kind of overdue work has one alert, and its section of the runbook names it', () => {
  for (const name of lateNames(SLICES)) {
    const alertsOfMetric = alerts.filter(({ expression }) => selects(expression, name))
    expect(alertsOfMetric, name).toHaveLength(1)
    const alertSection = runbook.split(/^## /m).find((text) => text.startsWith(`${alertsOfMetric[0]?.name}\n`))
    expect(alertSection, name).toContain(`\`${name}\``)
  }
  for (const { expression } of alerts.filter((alert) => alert.expression.includes('alder_late')))
    expect(
      lateNames(SLICES).some((name) => selects(expression, name)),
      expression,
    ).toBe(true)
})
