import { afterEach, expect, test, vi } from 'vitest'
import { ERRORS, UNDECIDED } from '#contract/errors.ts'
import { apiFetch, anonymousApi, isCancelled, messageOf, onStepUp, refusalOf, stopRequest } from '#web/lib/api.ts'

afterEach(() => vi.unstubAllGlobals())

/** A bank without a session until a visit; it records its requests. */
function bankOfStrangers(): string[] {
  const asked: string[] = []
  let signedIn = false
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    asked.push(`${init.method ?? 'GET'} ${input}`)
    if (input.endsWith('/session/visit')) {
      signedIn = true
      return Response.json({})
    }
    return signedIn ? Response.json({}) : Response.json({ error: { code: 'sign_in_required' } }, { status: 401 })
  })
  return asked
}

test('what is read is read again after a visit', async () => {
  const asked = bankOfStrangers()
  expect((await apiFetch('/api/v1/me')).status).toBe(200)
  expect(asked).toEqual(['GET /api/v1/me', expect.stringMatching(/visit$/), 'GET /api/v1/me'])
})

test('money is never sent again by itself as the customer that a visit opened', async () => {
  const asked = bankOfStrangers()
  const response = await apiFetch('/api/v1/transfers', { method: 'POST', body: '{}' })
  expect(response.status).toBe(401)
  expect(asked.filter((one) => one.startsWith('POST /api/v1/transfers'))).toHaveLength(1)
  expect(await response.json()).toMatchObject({ error: { code: 'sign_in_required' } })
})

/** A bank that asks for a proof on every request, and records its requests. */
function bankOfDoubt(proofs: readonly (string | null)[]) {
  const asked: { key: string | null; proof: string | null; body: unknown }[] = []
  vi.stubGlobal('fetch', async (_input: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    const proof = headers.get('step-up')
    asked.push({ key: headers.get('idempotency-key'), proof, body: init.body })
    if (proof !== null && proofs.includes(proof)) return Response.json({ done: true })
    const error = { code: 'step_up_required' }
    return Response.json({ error }, { status: 403, headers: { 'step-up': 'token' } })
  })
  return asked
}

const payment = { method: 'POST', body: '{"amountMinor":2500}', headers: { 'idempotency-key': 'one' } }

test('a request that wants a proof goes out again as it was, with what names the proof', async () => {
  const asked = bankOfDoubt(['token'])
  const wanted: unknown[] = []
  onStepUp(async (token, request) => {
    wanted.push([token, request])
    return true
  })
  const response = await apiFetch('/api/v1/transfers', payment)
  expect(await response.json()).toEqual({ done: true })
  expect(wanted).toEqual([['token', { method: 'POST', path: '/api/v1/transfers', body: { amountMinor: 2500 } }]])
  expect(asked).toEqual([
    { key: 'one', proof: null, body: payment.body },
    { key: 'one', proof: 'token', body: payment.body },
  ])
})

test('who thinks better of it gets the refusal, which is called off', async () => {
  const asked = bankOfDoubt(['token'])
  onStepUp(async () => false)
  const refusal = await refusalOf(await apiFetch('/api/v1/transfers', payment))
  expect(refusal.code).toBe('step_up_required')
  expect(isCancelled(refusal)).toBe(true)
  expect(asked).toHaveLength(1)
})

test('a request that was stopped asks for no proof, however late the bank answers', async () => {
  let answer: (response: Response) => void = () => {}
  const answered = new Promise<Response>((resolve) => {
    answer = resolve
  })
  vi.stubGlobal('fetch', () => answered)
  let times = 0
  onStepUp(async () => {
    times += 1
    return true
  })
  const response = apiFetch('/api/v1/transfers', payment)
  await new Promise((resolve) => setTimeout(resolve))
  stopRequest('one')
  answer(Response.json({ error: { code: 'step_up_required' } }, { status: 403, headers: { 'step-up': 'token' } }))
  expect((await response).status).toBe(403)
  expect(times).toBe(0)
})

test('a request that was stopped while a proof was asked for is not sent with it', async () => {
  const sent: (string | null)[] = []
  vi.stubGlobal('fetch', async (_input: string, init: RequestInit = {}) => {
    init.signal?.throwIfAborted()
    sent.push(new Headers(init.headers).get('step-up'))
    return Response.json({ error: { code: 'step_up_required' } }, { status: 403, headers: { 'step-up': 'token' } })
  })
  onStepUp(async () => {
    stopRequest('one')
    return true
  })
  await expect(apiFetch('/api/v1/transfers', payment)).rejects.toThrow('aborted')
  expect(sent).toEqual([null])
})

test('who has shown who they are is not asked a second time', async () => {
  const asked = bankOfDoubt([])
  let times = 0
  onStepUp(async () => {
    times += 1
    return true
  })
  await expect(apiFetch('/api/v1/transfers', payment)).rejects.toMatchObject({ code: 'proof_refused' })
  expect(times).toBe(1)
  expect(asked).toHaveLength(2)
})

test('the sign-in pages never open a sample customer', async () => {
  const asked = bankOfStrangers()
  expect((await anonymousApi.me.$get()).status).toBe(401)
  expect(asked).toEqual(['GET /api/v1/me'])
})

test('a proof whose answer got lost is good for the next try', async () => {
  const asked: (string | null)[] = []
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    if (input === '/healthz') return Response.json({ status: 'alive' })
    const proof = new Headers(init.headers).get('step-up')
    asked.push(proof)
    if (asked.length === 2) throw new TypeError('connection lost')
    if (proof !== null) return Response.json({})
    return Response.json({ error: { code: 'step_up_required' } }, { status: 403, headers: { 'step-up': 'token' } })
  })
  let times = 0
  onStepUp(async () => {
    times += 1
    return true
  })
  await expect(apiFetch('/api/v1/transfers', payment)).rejects.toMatchObject({ code: 'unreachable' })
  expect((await apiFetch('/api/v1/transfers', payment)).status).toBe(200)
  expect(asked).toEqual([null, 'token', 'token'])
  expect(times).toBe(1)
})

test('a lock says for how long, rounded up', async () => {
  const locked = (seconds: string) =>
    Response.json({ error: { code: 'too_many_requests' } }, { status: 429, headers: { 'retry-after': seconds } })
  const messages = await Promise.all(
    ['1', '45', '661', '3600', '86400'].map(async (s) => messageOf(await refusalOf(locked(s)))),
  )
  expect(messages).toEqual([
    'Too many attempts. Try again in 1 second',
    'Too many attempts. Try again in 45 seconds',
    'Too many attempts. Try again in 12 minutes',
    'Too many attempts. Try again in 60 minutes',
    'Too many attempts. Try again in 24 hours',
  ])
  const silent = Response.json({ error: { code: 'too_many_requests' } }, { status: 429 })
  expect(messageOf(await refusalOf(silent))).toBe('Too many attempts. Please try again in a little while')
})

test('a refusal that no screen here says itself is read in the words of the bank', async () => {
  const newer = Response.json({ error: { code: 'from_tomorrow', message: 'This opens tomorrow' } }, { status: 422 })
  expect(messageOf(await refusalOf(newer))).toBe('This opens tomorrow')
})

test('whatever the bank answers from 500 on leaves a request undecided', () => {
  const failed = Object.entries(ERRORS).filter(([code, { status }]) => status >= 500 && code !== 'camera_unavailable')
  expect(failed.map(([code]) => code).toSorted()).toEqual(UNDECIDED.toSorted())
})
