import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { open } from '#web/test/app.tsx'
import {
  recordedRequests,
  bank,
  emitLiveEvent,
  delayedAnswer,
  refusalAnswer,
  resetBank,
  networkError,
} from '#web/test/bank.ts'

const readGoals = async () => (await fetch('/api/v1/goals')).json()

test('requests without a test’s own response get the response of a real sample bank', async () => {
  expect(await readGoals()).toEqual(await bank.recorded('/goals'))
})

test('a test’s own response replaces the bank’s, and requests are recorded', async () => {
  bank.get('/goals', refusalAnswer('too_many_requests'))
  expect(await readGoals()).toMatchObject({ error: { code: 'too_many_requests' } })
  expect(recordedRequests).toMatchObject([{ method: 'GET', path: '/goals' }])
})

test('an unknown response and an unexpected change fail the test', async () => {
  bank.get('/goals', { goals: 'many' } as never)
  await readGoals()
  await fetch('/api/v1/goals', { method: 'POST' })
  expect(resetBank).toThrow(/The response is not as the contract says[^]*The test sets no answer to POST/)
})

test('a creating request without a key fails the test', async () => {
  const [goal] = (await bank.recorded('/goals')).goals
  if (!goal) throw new Error('There is no goal')
  bank.post('/goals', goal)
  const sendGoal = (headers: Record<string, string>) => fetch('/api/v1/goals', { method: 'POST', headers })
  await sendGoal({ 'idempotency-key': crypto.randomUUID() })
  expect(resetBank).not.toThrow()
  bank.post('/goals', goal)
  await sendGoal({})
  expect(resetBank).toThrow('POST /api/v1/goals was sent without an Idempotency-Key')
})

test('no response arrives offline', async () => {
  bank.get('/goals', networkError())
  await expect(readGoals()).rejects.toThrow('Failed to fetch')
})

test('a screen follows the events of the bank', async () => {
  const recording = await bank.recorded('/goals')
  await open('/savings')
  await expect.element(page.getByText('Vacation Fund')).toBeVisible()
  let release = () => {}
  const whenReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  const changedGoals = { ...recording, goals: recording.goals.map((goal) => ({ ...goal, name: 'Moon Fund' })) }
  bank.get('/goals', () => delayedAnswer(whenReleased, changedGoals))
  emitLiveEvent('change')
  await expect.poll(() => recordedRequests.filter(({ path }) => path === '/goals').length).toBe(2)
  await expect.element(page.getByText('Vacation Fund')).toBeVisible()
  release()
  await expect.element(page.getByText('Moon Fund').first()).toBeVisible()
})
