import { afterEach, expect, test, vi } from 'vitest'
import { bankFetch } from '#web/lib/client.ts'

afterEach(() => vi.unstubAllGlobals())

/** A bank that knows nobody until a visit, and says what it was asked. */
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
  expect((await bankFetch('/api/v1/me')).status).toBe(200)
  expect(asked).toEqual(['GET /api/v1/me', expect.stringMatching(/visit$/), 'GET /api/v1/me'])
})

test('money is never sent again by itself as whoever the visit made of us', async () => {
  const asked = bankOfStrangers()
  const answer = await bankFetch('/api/v1/transfers', { method: 'POST', body: '{}' })
  expect(answer.status).toBe(401)
  expect(asked.filter((one) => one.startsWith('POST /api/v1/transfers'))).toHaveLength(1)
  expect(await answer.json()).toMatchObject({ error: { code: 'sign_in_required' } })
})
