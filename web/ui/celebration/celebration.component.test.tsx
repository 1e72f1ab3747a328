import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { router } from '#web/app/routes.tsx'
import { queries } from '#web/app/query-client.ts'
import { expectNoAxeViolations } from '#web/test/accessible.ts'
import { open } from '#web/test/app.tsx'
import { bank } from '#web/test/bank.ts'

beforeEach(() => localStorage.removeItem('alder.milestones'))

const party = () => document.querySelector('.celebration')
const announcement = () => party()?.querySelector('[role=status]')?.textContent ?? ''

/** Dismisses the celebration with a tap. */
async function dismiss(): Promise<void> {
  const words = party()?.querySelector<HTMLElement>('[role=status] > div')
  words?.click()
  await expect.poll(party).toBeNull()
}

test('a reached goal is celebrated once, also in words', async () => {
  const recording = await bank.recorded('/goals')
  const [goal, ...otherGoals] = recording.goals
  if (!goal) throw new Error('There is no goal')
  const reachedGoals = { ...recording, goals: [{ ...goal, savedMinor: goal.targetMinor }, ...otherGoals] }
  await open('/savings')
  await expect.element(page.getByRole('heading', { name: 'Vacation Fund' })).toBeVisible()
  expect(party()).toBeNull()
  bank.get('/goals', reachedGoals)
  await queries.invalidateQueries({ queryKey: ['goals'] })
  await queries.refetchQueries()
  await expect.poll(announcement).toBe('You reached your goal!$5,000.00 saved for Vacation Fund.')
  await expectNoAxeViolations('a celebration')
  await dismiss()
  await router.navigate('/rewards')
  await router.navigate('/savings')
  await expect.element(page.getByText('Goal reached')).toBeVisible()
  expect(party()).toBeNull()
})

test('a first salary is celebrated, and no other', async () => {
  const dashboard = await bank.recorded('/dashboard')
  const { transactions } = await bank.recorded('/transactions')
  const salary = transactions.find(({ category }) => category === 'income')
  if (!salary) throw new Error('There is no salary')
  bank.get('/dashboard', { ...dashboard, recent: [salary] })
  bank.get('/transactions', { transactions: [salary, { ...salary, id: crypto.randomUUID() }], nextCursor: null })
  await open('/dashboard')
  await expect.element(page.getByRole('link', { name: /^Northwind Studio/ })).toBeVisible()
  await expect.poll(() => queries.isFetching()).toBe(0)
  expect(party()).toBeNull()
  bank.get('/transactions', { transactions: [salary], nextCursor: null })
  await queries.invalidateQueries()
  await expect.poll(announcement).toBe('Your first paycheck is here!$3,500.00 from Northwind Studio.')
  await dismiss()
  await queries.refetchQueries()
  expect(party()).toBeNull()
})
