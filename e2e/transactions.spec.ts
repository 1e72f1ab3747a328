import { expect, type Page, test } from '@playwright/test'
import { arrive, ask, visit } from './bank.ts'

const rows = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('link') })

test('shows the week in two tiles and the list by day', async ({ page }) => {
  await arrive(page)
  await page.getByRole('link', { name: 'See All' }).click()
  await expect(page).toHaveTitle(/Transactions · Alder$/)
  await expect(page.getByText('+$3,500.00').first()).toBeVisible()
  await expect(page.getByText('−$207.98')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible()
  const first = rows(page).first()
  await expect(first).toContainText('Copper Kettle Coffee')
  await expect(first).toContainText('8:12 AM')
  await expect(first).not.toContainText('Today')
  await expect(first).toContainText('−$5.60')
  await expect(first).toContainText('Food & Drink')
})

test('goes on to the first transaction there is', async ({ page }) => {
  await visit(page)
  await page.goto('/transactions')
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expect(page.getByText("That's everything")).toBeVisible({ timeout: 200 })
  }).toPass({ intervals: [50] })
  expect(await rows(page).count()).toBeGreaterThan(60)
  await expect(page.getByRole('heading', { name: /January/ }).last()).toBeVisible()
})

test('keeps what is searched and filtered in the URL, through back, forward and reload', async ({ page }) => {
  await visit(page)
  await page.goto('/transactions')
  await page.getByRole('button', { name: 'Filters' }).click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.getByRole('button', { name: 'Food & Drink' }).click()
  await sheet.getByRole('button', { name: 'This month' }).click()
  await sheet.getByLabel('Minimum').fill('10')
  await sheet.getByLabel('Maximum').fill('5')
  const asked = 'category=food&from=2026-08-01&to=2026-08-31&minMinor=500&maxMinor=1000'
  const { count } = await ask<{ count: number }>(page, `/transactions/count?${asked}`)
  await sheet.getByRole('button', { name: new RegExp(`^Show ${count} Transactions?$`) }).click()
  // A crosswise range is turned round.
  await expect(page).toHaveURL(/category=food.*/)
  await expect(page).toHaveURL(/minMinor=500/)
  await expect(page).toHaveURL(/maxMinor=1000/)
  await expect(page.getByRole('button', { name: 'Remove Filter $5.00 – $10.00' })).toBeVisible()
  await expect(rows(page)).toHaveCount(count)
  await expect(rows(page).filter({ hasText: 'Food & Drink' })).toHaveCount(count)

  await page.getByRole('searchbox', { name: 'Search transactions' }).fill('copper')
  await expect(page).toHaveURL(/q=copper/)
  await expect(rows(page).first()).toContainText('Copper Kettle Coffee')
  await page.reload()
  await expect(page.getByRole('searchbox')).toHaveValue('copper')
  await expect(page.getByRole('button', { name: /^Remove Filter/ })).toHaveCount(3)

  await page.getByRole('button', { name: 'Remove Filter Food & Drink' }).click()
  await expect(page).not.toHaveURL(/category/)
  await page.goBack()
  await expect(page).toHaveURL(/category=food/)
  await page.goForward()
  await expect(page).not.toHaveURL(/category/)
})

test('offers a way on where nothing is found', async ({ page }) => {
  await visit(page)
  await page.goto('/transactions?q=no+such+thing')
  await expect(page.getByText('No transactions found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear Filters' }).click()
  await expect(page).toHaveURL('/transactions')
  await expect(page.getByRole('searchbox')).toHaveValue('')
  await expect(rows(page).first()).toBeVisible()

  await page.getByRole('button', { name: 'Filters' }).click()
  await expect(page.getByRole('radio', { name: 'Any', checked: true })).toBeVisible()
  await page.getByLabel('Minimum').fill('1,000,000')
  await expect(page.getByRole('button', { name: 'No Matching Transactions' })).toBeVisible()
  await page.getByRole('button', { name: 'Reset all' }).click()
  await page.getByRole('button', { name: /^Show \d\d+ Transactions$/ }).click()

  // Whom a payment between people was with is seen by their initials.
  await page.goto('/transactions?category=transfer')
  await expect(rows(page).filter({ hasText: 'Sarah Johnson' }).first()).toContainText('SJ')
})

test('an amount that is none is refused in the sheet, and an address that is bent still shows a list', async ({
  page,
}) => {
  await visit(page)
  await page.goto('/transactions?category=pets&minMinor=abc&from=yesterday&status=completed')
  await expect(rows(page).first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Remove Filter/ })).toHaveCount(1)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Minimum').fill('1e3')
  await page.getByRole('button', { name: 'Show Transactions' }).click()
  await expect(page.getByRole('dialog')).toContainText('Please enter a valid amount')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a sheet whose code does not come is said to be out of reach, and opens once it is there', async ({ page }) => {
  await visit(page)
  await page.route('**/assets/filter-sheet-*.js', (route) => route.abort())
  await page.goto('/transactions')
  await page.getByRole('button', { name: 'Filters' }).click()
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText("We couldn't reach Alder")
  await expect(rows(page).first()).toBeVisible()
  await page.unroute('**/assets/filter-sheet-*.js')
  await page.getByRole('button', { name: 'Filters' }).click()
  await expect(page.getByRole('dialog', { name: 'Filters' })).toBeVisible()
})
