import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { context, propagation, ROOT_CONTEXT, SpanKind, trace, TraceFlags } from '@opentelemetry/api'
import { SamplingDecision } from '@opentelemetry/sdk-trace'
import { pino } from 'pino'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleTraces, startTracing } from '#server/boot/tracing-sdk.ts'
import type { TopUpMethod } from '#contract/accounts.ts'
import { type Jobs, startJobs } from '#server/platform/jobs/worker.ts'
import { inJob, inRequest, inSpan, currentIds, originFlags, traceHeaders } from '#server/platform/telemetry/trace.ts'
import { auditTestBooks, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'

type SentRequest = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  links?: { traceId: string; spanId: string }[]
  attributes: { key: string; value: object }[]
}

/** A trace collector, and a payment provider that records the trace headers of the requests it receives. */
const spans: SentRequest[] = []
/** The collector's access key. */
const KEY = 'a key of the operator'
const keys = new Set<string | undefined>()
const receivedRequests: { path: string; traceparent: string | undefined }[] = []
const elsewhere = createServer((incoming, outgoing) => {
  let body = ''
  incoming.on('data', (chunk) => (body += chunk))
  incoming.on('end', () => {
    if (incoming.url === '/v1/traces') keys.add(incoming.headers['api-key']?.toString())
    if (incoming.url === '/v1/traces')
      for (const { scopeSpans } of JSON.parse(body).resourceSpans)
        for (const scope of scopeSpans) spans.push(...scope.spans)
    else receivedRequests.push({ path: incoming.url ?? '', traceparent: incoming.headers['traceparent']?.toString() })
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})

let mails = 0
const smtp = new SMTPServer({
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData: (stream, _session, done) => {
    stream.resume().on('end', () => {
      mails += 1
      done()
    })
  },
})

let stop: () => Promise<void>
/** Two servers. One has a payment provider. On the other, a payment to a stranger needs no proof. */
let servers: PeopleServer[]
let jobs: Jobs[] = []
let ann: TestPerson
let ben: TestPerson
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const traced = { headers: { traceparent: `00-${TRACE}-b7ad6b7169203331-01` } }

beforeAll(async () => {
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening')
  const url = `http://localhost:${(elsewhere.address() as AddressInfo).port}`
  await once(smtp.listen(0, '127.0.0.1'), 'listening')
  const smtpUrl = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`
  const log = pino({ level: 'silent' })
  stop = startTracing(
    { endpoint: url, headers: { 'api-key': KEY }, ratio: 1 },
    { log, build: { version: '1', commit: 'c' }, mode: 'live' },
  )
  const methods: TopUpMethod[] = ['card', 'bank']
  const rail = { url: `${url}/rail`, secret: randomUUID(), methods, timeoutMs: 2_000 }
  const liveServer = await peopleServer({ clock: 'database', config: { mode: 'live', rail } })
  const sample = await peopleServer({ clock: 'database', config: { smtpUrl } })
  servers = [liveServer, sample]
  jobs = await Promise.all(servers.map(({ deps }) => startJobs(deps)))
  ann = await liveServer.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  ben = await sample.person({ fullName: 'Ben Ode', email: 'ben@example.com' })
})
afterAll(async () => {
  await Promise.all(jobs.map((each) => each.stop()))
  for (const server of servers) {
    await auditTestBooks(server)
    await server.close()
  }
  smtp.close()
  elsewhere.close()
  elsewhere.closeAllConnections()
})

test('a payment is traced from the request through batch, jobs, mail and rail', async () => {
  const top = { amountMinor: 80_00, asset: 'USD', method: 'card' }
  const answer = await ann.browser.post('/api/v1/top-ups', top, { key: randomUUID(), ...traced })
  expect(answer.status).toBe(200)
  await expect.poll(() => receivedRequests.length).toBe(1)
  await ben.fund(50_00)
  const transfer = { recipient: 'stranger@example.net', amountMinor: 40_00, asset: 'USD' }
  expect((await ben.browser.post('/api/v1/transfers', transfer, { key: randomUUID(), ...traced })).status).toBe(200)
  await expect.poll(() => mails).toBe(1)
  await Promise.all(jobs.splice(0).map((each) => each.stop()))
  await stop()
  expect([...keys]).toEqual([KEY])
  const requestSpans = spans.filter(({ traceId }) => traceId === TRACE)
  const spanNamed = (name: string) => requestSpans.find((span) => span.name === name)
  const request = spanNamed('POST /api/v1/top-ups')
  expect(request?.parentSpanId).toBe('b7ad6b7169203331')
  const post = requestSpans.find(({ name }) => name === 'ledger.ride' || name === 'ledger.post')
  const batch = spans.find(
    ({ name, links = [] }) => name === 'ledger.batch' && links.some(({ spanId }) => spanId === post?.spanId),
  )
  expect(batch).toBeDefined()
  expect(batch?.traceId).not.toBe(TRACE)
  expect(post?.links?.map(({ spanId }) => spanId)).toContain(batch?.spanId)
  const job = spanNamed('job rails.ask_provider')
  const call = spanNamed('rail collections')
  expect(call?.parentSpanId).toBe(job?.spanId)
  expect(receivedRequests[0]).toEqual({ path: '/rail/collections', traceparent: `00-${TRACE}-${call?.spanId}-01` })
  const [mailing, delivery] = [spanNamed('job payments.mail_claim'), spanNamed('job mail.deliver')]
  expect(delivery?.parentSpanId).toBe(mailing?.spanId)
  expect(spanNamed('mail')?.parentSpanId).toBe(delivery?.spanId)
  const recorded = JSON.stringify(spans.map(({ name, attributes }) => [name, attributes]))
  for (const secret of [ann.customer.id, 'example.com', 'example.net', 'Ann Lee', 'Ben Ode', '8000', '4000'])
    expect(recorded).not.toContain(secret)
})

test('callers cannot force their trace to be sampled, and jobs belong to the trace of their request', () => {
  const sampler = sampleTraces(0.05)
  const sentShare = (traceId: string, kind: SpanKind, traceFlags = TraceFlags.SAMPLED) => {
    const parent = { traceId, spanId: 'b7ad6b7169203331', traceFlags, isRemote: true }
    const from = trace.setSpanContext(ROOT_CONTEXT, parent)
    const answers = Array.from({ length: 2_000 }, () => sampler.shouldSample(from, traceId, 'x', kind, {}, []))
    return answers.filter(({ decision }) => decision === SamplingDecision.RECORD_AND_SAMPLED).length / answers.length
  }
  // The parts of this trace id cancel each other out, so an XOR of them is zero and would always be sampled.
  for (const traceId of ['00000001000000010000000100000001', TRACE]) {
    expect(sentShare(traceId, SpanKind.SERVER)).toBeLessThan(0.1)
    expect(sentShare(traceId, SpanKind.SERVER)).toBeGreaterThan(0.01)
    expect(sentShare(traceId, SpanKind.CONSUMER)).toBe(1)
    expect(sentShare(traceId, SpanKind.CONSUMER, TraceFlags.NONE)).toBe(0)
  }
})

test('without tracing, requests and jobs still have ids, and no trace context is passed on', async () => {
  expect(trace.getActiveSpan()).toBeUndefined()
  const requestId = randomUUID()
  const logged: unknown[] = []
  const work = async () => void logged.push(currentIds(), originFlags(), traceHeaders())
  await inRequest({ requestId, method: 'GET', ...traced.headers }, work, () => ({ route: '/', status: 200 }))
  await inJob('a.job', [`request:${requestId}`, `trace:${traced.headers.traceparent}`], work)
  const expectedPayloads = [{ requestId }, [`request:${requestId}`], {}]
  expect(logged).toEqual([...expectedPayloads, ...expectedPayloads])
  expect(currentIds()).toEqual({})
})

test('without tracing, all the calls of a payment take almost no processor time', async () => {
  for (const api of [trace, propagation, context]) api.disable()
  const payment = async () => {
    await inRequest(
      { requestId: 'r', method: 'POST', traceparent: undefined },
      async () => {
        await inSpan('ledger.post', {}, async () => undefined)
        originFlags()
        traceHeaders()
      },
      () => ({ route: '/', status: 200 }),
    )
    await inJob('a.job', ['request:r'], async () => undefined)
  }
  const cpuMicros = async (work: () => Promise<void>, times: number) => {
    const before = process.cpuUsage()
    for (let index = 0; index < times; index++) await work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / times
  }
  await cpuMicros(payment, 2_000)
  // A payment takes about 900 µs of processor time in all. These calls take about 4 µs. Ten times as much would be visible on a
  // busy machine, too.
  expect(await cpuMicros(payment, 20_000)).toBeLessThan(20)
})
