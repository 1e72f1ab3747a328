import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { MoneyRequest } from '#contract/requests.ts'
import { router } from '#web/app/routes.tsx'
import { readAddress, open, pressByKey } from '#web/test/app.tsx'
import { bank } from '#web/test/bank.ts'

const sheet = page.getByRole('dialog')
const inSheet = (name: string) => sheet.getByRole('button', { name, exact: true })
const newGoal = page.getByRole('button', { name: 'New Goal' })
const goalName = sheet.getByLabelText('Name')

/** Opens the savings screen from the dashboard, so that Back has a previous screen. */
async function openSavings(): Promise<void> {
  await open('/dashboard')
  await page.getByRole('link', { name: /^Add to Vacation Fund/ }).click()
  await expect.poll(readAddress).toBe('/savings')
}

async function isClosed(): Promise<void> {
  await expect.element(sheet).not.toBeInTheDocument()
}

test('Back closes a sheet and keeps its screen, then leaves the screen', async () => {
  await openSavings()
  const amount = page.getByRole('textbox', { name: 'Add to Vacation Fund' })
  await amount.fill('12')
  await pressByKey(newGoal)
  await goalName.fill('New Kitchen')
  history.back()
  await isClosed()
  expect(readAddress()).toBe('/savings')
  await expect.element(amount).toHaveValue('12.00')
  await expect.element(newGoal).toHaveFocus()

  // Forward opens no sheet and adds no step for Back.
  history.forward()
  await expect.poll(() => history.state.sheets).toBe(1)
  await expect.element(newGoal).toBeVisible()
  await isClosed()
  history.back()
  await expect.poll(readAddress).toBe('/dashboard')
  history.forward()
  await expect.poll(readAddress).toBe('/savings')
})

test('a sheet that was closed otherwise leaves no entry in the history', async () => {
  const { goals } = await bank.recorded('/goals')
  const [goal] = goals
  if (!goal) throw new Error('There is no goal')
  bank.post('/goals', goal)
  await openSavings()
  for (const close of [
    () => userEvent.keyboard('{Escape}'),
    () => inSheet('Close').click(),
    // A click outside the sheet.
    () => userEvent.click(document.body, { position: { x: 5, y: 5 } }),
    async () => {
      await goalName.fill('New Kitchen')
      await sheet.getByLabelText('Target', { exact: true }).fill('1200')
      await pressByKey(inSheet('Create Goal'))
    },
  ]) {
    await pressByKey(newGoal)
    await expect.element(goalName).toHaveValue('')
    await close()
    await isClosed()
    await expect.element(newGoal).toHaveFocus()
  }
  history.back()
  await expect.poll(readAddress).toBe('/dashboard')
})

test('a sheet with several steps is one entry in the history', async () => {
  await openSavings()
  const manage = page.getByRole('button', { name: 'Manage New Car' })
  await pressByKey(manage)
  await pressByKey(inSheet('Edit Goal'))
  await expect.element(sheet).toHaveAccessibleName('Edit goal')
  history.back()
  await isClosed()
  expect(readAddress()).toBe('/savings')
  await expect.element(manage).toHaveFocus()
  history.back()
  await expect.poll(readAddress).toBe('/dashboard')
})

test('a link in a sheet opens its target, and Back from there returns to the screen', async () => {
  await router.navigate('/dashboard')
  await open('/analytics')
  const food = page.getByRole('button', { name: /^Food/ }).first()
  const details = page.getByRole('heading', { name: 'Transaction Details' })
  await pressByKey(food)
  await sheet.getByRole('link').first().click()
  await expect.element(details).toBeVisible()
  await isClosed()
  const detailAddress = readAddress()
  history.back()
  await expect.element(food).toBeVisible()
  await isClosed()
  history.forward()
  await expect.element(details).toBeVisible()
  expect(readAddress()).toBe(detailAddress)
  history.back()
  await expect.element(food).toBeVisible()
  history.back()
  await expect.poll(readAddress).toBe('/dashboard')
})

test('a sheet with an address is one entry in the history, closed in any way', async () => {
  const request: MoneyRequest = {
    id: crypto.randomUUID(),
    side: 'requester',
    name: 'Mike Chen',
    amountMinor: 25_00,
    paidMinor: 0,
    asset: 'USD',
    note: null,
    status: 'open',
    createdAt: '2026-08-28T08:00:00.000Z',
    expiresAt: '2026-09-11T08:00:00.000Z',
    closedAt: null,
    remindableAt: null,
    fromStranger: false,
    url: null,
  }
  bank.get('/money-requests', { received: [], sent: [request], blocked: [] })
  bank.get('/money-requests/:id', { request, history: [] })
  bank.post('/money-requests/:id/cancel', { request: { ...request, status: 'cancelled' } })
  await open('/dashboard')
  await page.getByRole('link', { name: 'Request', exact: true }).first().click()
  const requestLink = page.getByRole('main').getByRole('link', { name: /\$25\.00/ })
  const name = 'Request to Mike Chen'
  await pressByKey(requestLink)
  await expect.element(sheet).toHaveAccessibleName(name)
  const requestAddress = readAddress()
  history.back()
  await isClosed()
  expect(readAddress()).toBe('/request')

  for (const close of ['Escape', 'Cancel Request']) {
    await pressByKey(requestLink)
    await expect.element(sheet).toHaveAccessibleName(name)
    if (close === 'Escape') await userEvent.keyboard('{Escape}')
    else {
      await pressByKey(inSheet(close))
      await pressByKey(inSheet(close))
    }
    await isClosed()
    await expect.poll(readAddress).toBe('/request')
  }
  history.back()
  await expect.poll(readAddress).toBe('/dashboard')

  await router.navigate(requestAddress)
  await inSheet('Close').click()
  await expect.poll(readAddress).toBe('/request')
  history.back()
  await expect.poll(readAddress).toBe('/dashboard')
})

test('a sheet without focusable content can be scrolled to its end with the keyboard alone', async () => {
  await open('/carbon-footprint')
  await page.getByRole('button', { name: /^Offset [\d.]+ kg/ }).click()
  await expect.element(sheet).toBeVisible()
  const scrollBox = sheet.element().querySelector<HTMLElement>('.overflow-y-auto')
  if (!scrollBox) throw new Error('The sheet has no part that scrolls')
  expect(scrollBox.tabIndex).toBe(-1)
  await page.viewport(390, 300)
  await expect.poll(() => scrollBox.scrollHeight > scrollBox.clientHeight).toBe(true)
  await expect.poll(() => scrollBox.tabIndex).toBe(0)
  await userEvent.tab()
  await expect.poll(() => document.activeElement).toBe(scrollBox)
  await userEvent.keyboard('{End}')
  await expect.poll(() => scrollBox.scrollTop).toBeGreaterThan(0)
})

test('if the control that opened a sheet is removed, the heading of the screen gets the focus', async () => {
  await openSavings()
  await pressByKey(newGoal)
  await expect.element(sheet).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await isClosed()
  await expect.element(newGoal).toHaveFocus()
  newGoal.element().remove()
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus()
})
