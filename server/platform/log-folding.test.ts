import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inRequest, currentIds } from '#server/platform/telemetry/trace.ts'
import { foldFailures } from '#server/platform/log-folding.ts'

const EVERY_MS = 30_000
type Line = {
  msg: string
  level: number
  folded?: number
  err?: { message: string; stack: string }
  [field: string]: unknown
}
let lines: Line[] = []

beforeEach(() => {
  lines = []
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

function openLog(mostKinds = 100) {
  const folding = foldFailures({ everyMs: EVERY_MS, mostKinds })
  const log = pino(
    { level: 'debug', base: null, hooks: folding.hooks },
    { write: (line) => lines.push(JSON.parse(line)) },
  )
  return { log, folding }
}

const connectionError = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
const duplicateError = () => Object.assign(new Error('duplicate key'), { code: '23505' })

test('a repeated failure is logged once with its stack, and then as a count', () => {
  const { log } = openLog()
  for (let index = 0; index < 500; index++) log.error({ err: connectionError(), requestId: `r${index}` }, 'unavailable')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({ requestId: 'r0', err: { stack: expect.stringContaining('log-folding.test.ts') } })
  vi.advanceTimersByTime(EVERY_MS)
  expect(lines.slice(1)).toEqual([
    expect.objectContaining({ msg: 'unavailable', level: 50, folded: 499, seconds: 30, code: 'ECONNREFUSED' }),
  ])
  expect(JSON.stringify(lines[1])).not.toContain('    at ')
})

test('a kind counts as new after a while without an occurrence', () => {
  const { log } = openLog()
  log.error({ err: connectionError() }, 'unavailable')
  vi.advanceTimersByTime(EVERY_MS * 2)
  log.error({ err: connectionError() }, 'unavailable')
  expect(lines.map(({ err }) => err !== undefined)).toEqual([true, true])
})

test('a line with a count belongs to no request', async () => {
  vi.useRealTimers()
  const folding = foldFailures({ everyMs: 20 })
  const log = pino(
    { base: null, hooks: folding.hooks, mixin: currentIds },
    { write: (line) => lines.push(JSON.parse(line)) },
  )
  const work = async () => {
    for (let index = 0; index < 2; index++) log.error({ err: connectionError() }, 'unavailable')
  }
  await inRequest({ requestId: 'r1', method: 'GET', traceparent: undefined }, work, () => ({ route: '/', status: 503 }))
  await expect.poll(() => lines.length).toBe(2)
  expect(lines.map(({ requestId, folded }) => [requestId, folded])).toEqual([
    ['r1', undefined],
    [undefined, 1],
  ])
})

test('another message, code, job, route or place is another failure', () => {
  const { log } = openLog()
  const otherConnectionError = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  log.error({ err: connectionError() }, 'unavailable')
  log.error({ err: connectionError() }, 'a sweep failed')
  log.error({ err: duplicateError() }, 'unavailable')
  log.error({ err: connectionError(), job: 'mail.deliver' }, 'unavailable')
  log.error({ err: new TypeError('x') }, 'unavailable')
  log.error({ err: otherConnectionError() }, 'unavailable')
  log.error({ method: 'GET', route: '/a', status: 503 }, 'request')
  log.error({ method: 'GET', route: '/b', status: 503 }, 'request')
  expect(lines).toHaveLength(8)
})

test('lines that name a payment or overdue work are never folded, and neither are lines below errors', () => {
  const { log } = openLog()
  for (const operationId of ['a', 'b']) log.error({ operationId }, 'a payout came back after its customer had closed')
  for (const late of [['jobs failed'], ['jobs failed', 'jobs waiting']]) log.warn({ late }, 'behind time')
  for (let index = 0; index < 2; index++) log.info({ err: connectionError() }, 'for information')
  expect(lines).toHaveLength(6)
})

test('no first line of a kind is lost, and the counts add up, for any sequence of lines', () => {
  const { log, folding } = openLog(4)
  const codes = Array.from({ length: 9 }, (_, index) => `C${index}`)
  const counts = new Map<string, number>()
  let seed = 7
  for (let index = 0; index < 5_000; index++) {
    seed = (seed * 48_271) % 2_147_483_647
    const code = codes[seed % codes.length] ?? ''
    counts.set(code, (counts.get(code) ?? 0) + 1)
    log.error({ err: Object.assign(new Error(code), { code }) }, 'it failed')
    if (seed % 50 === 0) vi.advanceTimersByTime(EVERY_MS / 3)
  }
  folding.flush()
  const lineCounts = new Map<string, number>()
  for (const { err, code, folded = 1 } of lines) {
    const name = err?.message ?? String(code)
    if (!lineCounts.has(name)) expect(err).toBeDefined()
    lineCounts.set(name, (lineCounts.get(name) ?? 0) + folded)
  }
  expect(lineCounts).toEqual(counts)
})
