import { afterEach, expect, test, vi } from 'vitest'
import { ERRORS, UNDECIDED } from '#contract/errors.ts'
import { apiFetch, anonymousApi, isCanceledError, messageOf, onStepUp, refusalOf, stopRequest } from '#web/lib/api.ts'

afterEach(() => vi.unstubAllGlobals())

/** Simulates a bank that has no session before the first visit. Returns the list of its requests. */
function bankOfStrangers(): string[] {
  const requests: string[] = []
  let signedIn = false
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    requests.push(`${init.method ?? 'GET'} ${input}`)
    if (input.endsWith('/session/visit')) {
      signedIn = true
      return Response.json({})
    }
    return signedIn ? Response.json({}) : Response.json({ error: { code: 'sign_in_required' } }, { status: 401 })
  })
  return requests
}

test('reads are repeated after a visit', async () => {
  const requests = bankOfStrangers()
  expect((await apiFetch('/api/v1/me')).status).toBe(200)
  expect(requests).toEqual(['GET /api/v1/me', expect.stringMatching(/visit$/), 'GET /api/v1/me'])
})

test('payments are never repeated automatically for the customer that a visit created', async () => {
  const requests = bankOfStrangers()
  const response = await apiFetch('/api/v1/transfers', { method: 'POST', body: '{}' })
  expect(response.status).toBe(401)
  expect(requests.filter((request) => request.startsWith('POST /api/v1/transfers'))).toHaveLength(1)
  expect(await response.json()).toMatchObject({ error: { code: 'sign_in_required' } })
})

/** Simulates a bank that requires a proof for every request, and records its requests. */
function bankOfDoubt(proofs: readonly (string | null)[]) {
  const requests: { key: string | null; proof: string | null; body: unknown }[] = []
  vi.stubGlobal('fetch', async (_input: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    const proof = headers.get('step-up')
    requests.push({ key: headers.get('idempotency-key'), proof, body: init.body })
    if (proof !== null && proofs.includes(proof)) return Response.json({ done: true })
    const error = { code: 'step_up_required' }
    return Response.json({ error }, { status: 403, headers: { 'step-up': 'token' } })
  })
  return requests
}

const payment = { method: 'POST', body: '{"amountMinor":2500}', headers: { 'idempotency-key': 'one' } }

test('a request that requires a proof is sent again unchanged, with the proof’s id', async () => {
  const requests = bankOfDoubt(['token'])
  const proofRequests: unknown[] = []
  onStepUp(async (token, request) => {
    proofRequests.push([token, request])
    return true
  })
  const response = await apiFetch('/api/v1/transfers', payment)
  expect(await response.json()).toEqual({ done: true })
  expect(proofRequests).toEqual([['token', { method: 'POST', path: '/api/v1/transfers', body: { amountMinor: 2500 } }]])
  expect(requests).toEqual([
    { key: 'one', proof: null, body: payment.body },
    { key: 'one', proof: 'token', body: payment.body },
  ])
})

test('a customer who cancels the proof gets the refusal, marked as canceled', async () => {
  const requests = bankOfDoubt(['token'])
  onStepUp(async () => false)
  const refusal = await refusalOf(await apiFetch('/api/v1/transfers', payment))
  expect(refusal.code).toBe('step_up_required')
  expect(isCanceledError(refusal)).toBe(true)
  expect(requests).toHaveLength(1)
})

test('a canceled request requires no proof, even if the bank responds late', async () => {
  let answer: (response: Response) => void = () => {}
  const responsePromise = new Promise<Response>((resolve) => {
    answer = resolve
  })
  vi.stubGlobal('fetch', () => responsePromise)
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

test('a request that was canceled during its proof is not sent with it', async () => {
  const proofs: (string | null)[] = []
  vi.stubGlobal('fetch', async (_input: string, init: RequestInit = {}) => {
    init.signal?.throwIfAborted()
    proofs.push(new Headers(init.headers).get('step-up'))
    return Response.json({ error: { code: 'step_up_required' } }, { status: 403, headers: { 'step-up': 'token' } })
  })
  onStepUp(async () => {
    stopRequest('one')
    return true
  })
  await expect(apiFetch('/api/v1/transfers', payment)).rejects.toThrow('aborted')
  expect(proofs).toEqual([null])
})

test('a customer who has given a proof is not asked a second time', async () => {
  const requests = bankOfDoubt([])
  let times = 0
  onStepUp(async () => {
    times += 1
    return true
  })
  await expect(apiFetch('/api/v1/transfers', payment)).rejects.toMatchObject({ code: 'proof_refused' })
  expect(times).toBe(1)
  expect(requests).toHaveLength(2)
})

test('the sign-in pages never open a sample customer', async () => {
  const requests = bankOfStrangers()
  expect((await anonymousApi.me.$get()).status).toBe(401)
  expect(requests).toEqual(['GET /api/v1/me'])
})

test('a proof whose response was lost is valid for the next attempt', async () => {
  const proofs: (string | null)[] = []
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    if (input === '/healthz') return Response.json({ status: 'alive' })
    const proof = new Headers(init.headers).get('step-up')
    proofs.push(proof)
    if (proofs.length === 2) throw new TypeError('connection lost')
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
  expect(proofs).toEqual([null, 'token', 'token'])
  expect(times).toBe(1)
})

test('a lock shows its duration, rounded up', async () => {
  const lockedAnswer = (seconds: string) =>
    Response.json({ error: { code: 'too_many_requests' } }, { status: 429, headers: { 'retry-after': seconds } })
  const messages = await Promise.all(
    ['1', '45', '661', '3600', '86400'].map(async (s) => messageOf(await refusalOf(lockedAnswer(s)))),
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

test('a refusal without a text in the app is shown with the bank’s text', async () => {
  const newer = Response.json({ error: { code: 'from_tomorrow', message: 'This opens tomorrow' } }, { status: 422 })
  expect(messageOf(await refusalOf(newer))).toBe('This opens tomorrow')
})

test('any status from 500 on leaves the outcome of a request open', () => {
  const serverErrors = Object.entries(ERRORS).filter(
    ([code, { status }]) => status >= 500 && code !== 'camera_unavailable',
  )
  expect(serverErrors.map(([code]) => code).toSorted()).toEqual(UNDECIDED.toSorted())
})
