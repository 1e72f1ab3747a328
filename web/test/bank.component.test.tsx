import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { open } from '#web/test/app.tsx'
import { asked, bank, happens, later, refused, resetBank, unreachable } from '#web/test/bank.ts'

const read = async () => (await fetch('/api/v1/goals')).json()

test('what no test says is what a real bank answers its sample customer', async () => {
  expect(await read()).toEqual(await bank.recorded('/goals'))
})

test('what a test says is answered in its place, and what was asked for is noted', async () => {
  bank.get('/goals', refused('too_many_requests'))
  expect(await read()).toMatchObject({ error: { code: 'too_many_requests' } })
  expect(asked).toMatchObject([{ method: 'GET', path: '/goals' }])
})

test('a response that the contract does not know, and a change that no test expects, fail the test', async () => {
  bank.get('/goals', { goals: 'many' } as never)
  await read()
  await fetch('/api/v1/goals', { method: 'POST' })
  expect(resetBank).toThrow(/The response is not as the contract says[^]*Nobody said how the bank answers POST/)
})

test('what creates something and has no key fails the test', async () => {
  const [goal] = (await bank.recorded('/goals')).goals
  if (!goal) throw new Error('There is no goal')
  bank.post('/goals', goal)
  const sent = (headers: Record<string, string>) => fetch('/api/v1/goals', { method: 'POST', headers })
  await sent({ 'idempotency-key': crypto.randomUUID() })
  expect(resetBank).not.toThrow()
  bank.post('/goals', goal)
  await sent({})
  expect(resetBank).toThrow('POST /api/v1/goals was sent without an Idempotency-Key')
})

test('no response comes where the line is down', async () => {
  bank.get('/goals', unreachable())
  await expect(read()).rejects.toThrow('Failed to fetch')
})

test('a screen follows what happens at the bank', async () => {
  const known = await bank.recorded('/goals')
  await open('/savings')
  await expect.element(page.getByText('Vacation Fund')).toBeVisible()
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const changed = { ...known, goals: known.goals.map((goal) => ({ ...goal, name: 'Moon Fund' })) }
  bank.get('/goals', () => later(released, changed))
  happens('change')
  await expect.poll(() => asked.filter(({ path }) => path === '/goals').length).toBe(2)
  await expect.element(page.getByText('Vacation Fund')).toBeVisible()
  release()
  await expect.element(page.getByText('Moon Fund').first()).toBeVisible()
})
