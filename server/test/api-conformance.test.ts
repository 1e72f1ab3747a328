import { expect, test } from 'vitest'
import { z } from 'zod'
import { routes } from '#server/identity/access/route.ts'
import { holdToDocument, undeclaredRefusals } from '#server/test/api-conformance.ts'

const spec = { money: true, summary: 'Pay', body: z.object({}), refuses: ['insufficient_funds'] } as const
const { app } = routes('Payments').post('/pays/{id}', spec, () => {})

async function noted(code: string, path = '/pays/1'): Promise<string[]> {
  const api = { fetch: () => Response.json({ error: { code } }, { status: 422 }) }
  await holdToDocument(api, app).fetch(new Request(`http://localhost${path}`, { method: 'POST' }))
  return undeclaredRefusals.splice(0)
}

test.each(['insufficient_funds', 'idempotency_key_reused', 'sign_in_required', 'request_invalid', 'unavailable'])(
  '%s is declared, or follows from the route’s requirements',
  async (code) => expect(await noted(code)).toEqual([]),
)

test('undeclared responses of a route are reported, and declared responses that never occur are not', async () => {
  expect(await noted('goal_locked')).toEqual(['post /pays/{id} refuses with goal_locked'])
  expect(await noted('goal_locked', '/elsewhere')).toEqual([])
})
