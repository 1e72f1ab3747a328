import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { router } from '#web/app/routes.tsx'
import { queries } from '#web/app/query-client.ts'
import { expectAccessible } from '#web/test/accessible.ts'
import { open } from '#web/test/app.tsx'
import { bank } from '#web/test/bank.ts'

beforeEach(() => localStorage.removeItem('alder.milestones'))

const party = () => document.querySelector('.celebration')
const said = () => party()?.querySelector('[role=status]')?.textContent ?? ''

/** Sends it away, as a finger does. */
async function dismiss(): Promise<void> {
  const words = party()?.querySelector<HTMLElement>('[role=status] > div')
  words?.click()
  await expect.poll(party).toBeNull()
}

test('a goal that is reached is celebrated once, in words too, and never again', async () => {
  const known = await bank.recorded('/goals')
  const [goal, ...others] = known.goals
  if (!goal) throw new Error('There is no goal')
  const reached = { ...known, goals: [{ ...goal, savedMinor: goal.targetMinor }, ...others] }
  await open('/savings')
  await expect.element(page.getByRole('heading', { name: 'Vacation Fund' })).toBeVisible()
  expect(party()).toBeNull()
  bank.get('/goals', reached)
  await queries.invalidateQueries({ queryKey: ['goals'] })
  await queries.refetchQueries()
  await expect.poll(said).toBe('You reached your goal!$5,000.00 saved for Vacation Fund.')
  await expectAccessible('a celebration')
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
  await expect.poll(said).toBe('Your first salary is here!$3,500.00 from Northwind Studio.')
  await dismiss()
  await queries.refetchQueries()
  expect(party()).toBeNull()
})
