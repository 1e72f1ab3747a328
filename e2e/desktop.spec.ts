import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { newest, signIn, speak, visit, visitIn } from './bank.ts'

const RAIL = { width: 1100, height: 800 }
const PANES = { width: 1280, height: 800 }

test.use({ viewport: PANES, isMobile: false, hasTouch: false })

const rail = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const list = (page: Page) => page.locator('[data-list]')
const detail = (page: Page) => page.locator('[data-detail]')
const heading = (where: Page | Locator, name: string) => where.getByRole('heading', { level: 1, name })
const rowsOf = (page: Page) => list(page).locator('a[data-row]')

async function openTransactions(page: Page): Promise<void> {
  await page.goto('/transactions')
  await expect(rowsOf(page).nth(12)).toBeAttached()
}

test.describe('the rail', () => {
  test('leads to the places and marks where one is, from 1024 pixels on', async ({ page }) => {
    await visit(page)
    await page.setViewportSize(RAIL)
    await page.goto('/dashboard')
    await expect(rail(page).getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Skip to Content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

    await rail(page).getByRole('link', { name: 'Transactions' }).click()
    await expect(page).toHaveURL('/transactions')
    await expect(heading(page, 'Transactions')).toBeFocused()
    await expect(rail(page).locator('[aria-current]')).toHaveText(['Transactions'])
    // A screen that is part of a place is marked as that place, and not as the page itself.
    await page.goto('/language')
    await expect(rail(page).getByRole('link', { name: 'Settings' })).toHaveAttribute('aria-current', 'true')
    await rail(page).getByRole('button', { name: 'More' }).click()
    await rail(page).getByRole('link', { name: 'Loans' }).click()
    await expect(page).toHaveURL('/loans')
    await page.reload()
    await expect(rail(page).getByRole('link', { name: 'Loans' })).toHaveAttribute('aria-current', 'page')
    await expect(rail(page).getByRole('button', { name: 'More' })).toHaveAttribute('aria-expanded', 'true')
    await expectAccessible(page, 'rail')

    await page.setViewportSize({ width: 1023, height: 800 })
    await expect(rail(page)).toHaveCount(0)
    await page.setViewportSize(RAIL)
    // Larger text leaves less room.
    await page.evaluate(() => (document.documentElement.style.fontSize = '150%'))
    await expect(rail(page)).toHaveCount(0)
    await page.evaluate(() => (document.documentElement.style.fontSize = ''))
    await rail(page).getByRole('button', { name: 'Log Out' }).click()
    await expect(page).toHaveURL('/login')
    await expect(rail(page)).toHaveCount(0)
  })

  test('shows all places in a window of 800 pixels, each on one line', async ({ page }) => {
    for (const language of ['en', 'ja', 'pl']) {
      await visitIn(page, language)
      // Its place is under More, which is open there.
      await page.goto('/loans')
      const links = page.locator('nav li a')
      await expect(links).toHaveCount(17)
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      for (const link of await links.all()) await expect(link).toBeInViewport({ ratio: 1 })
      const heights = await links.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
      expect(new Set(heights), language).toEqual(new Set([32]))
    }
  })

  test('leaves room for a second column where there is much to see', async ({ page }) => {
    await visit(page)
    const amount = page.getByRole('textbox', { name: 'Amount' })
    const titled = (name: string) => page.getByRole('heading', { name, exact: true })
    const sideBySide: Record<string, [Locator, Locator]> = {
      '/transfer': [amount, page.getByLabel('Note (optional)')],
      '/request': [amount, titled('Requests')],
      '/analytics': [titled('Category Breakdown'), titled('Monthly Trend')],
      '/carbon-footprint': [titled('How We Estimate'), titled('By Category')],
      '/statements': [titled('Account Statement'), titled('Summary')],
    }
    for (const [path, [first, second]] of Object.entries(sideBySide)) {
      await page.goto(path)
      await expect(first).toBeVisible()
      await expect(second).toBeVisible()
      const [left, right] = await Promise.all([first, second].map((part) => part.boundingBox()))
      expect(right?.x).toBeGreaterThan((left?.x ?? NaN) + (left?.width ?? NaN))
    }
  })

  test('stands at the right in Arabic, and the panes go on from there', async ({ page }) => {
    await visit(page)
    await speak(page, 'ar')
    await page.goto('/settings')
    const x = async (place: Locator) => (await place.boundingBox())?.x ?? NaN
    await expect(detail(page).getByRole('heading', { level: 1 })).toBeVisible()
    const nav = page.getByRole('navigation').filter({ has: page.getByRole('button') })
    expect(await x(nav)).toBeGreaterThan(await x(list(page)))
    expect(await x(list(page))).toBeGreaterThan(await x(detail(page)))
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PANES.width)
    await expectAccessible(page, 'settings in Arabic')
  })
})

test.describe('transactions and their details side by side', () => {
  test('choose with the mouse: the list stays where it is, and the address says what is open', async ({ page }) => {
    await visit(page)
    await openTransactions(page)
    await expect(detail(page)).toContainText('No transaction selected')
    await expectAccessible(page, 'nothing selected')

    await rowsOf(page).nth(12).scrollIntoViewIfNeeded()
    const scrolled = await page.evaluate(() => window.scrollY)
    expect(scrolled).toBeGreaterThan(0)
    await rowsOf(page).nth(12).click()
    await expect(page).toHaveURL(/\/transaction-detail\?id=/)
    await expect(page).toHaveTitle(/Transaction Details · Alder$/)
    await expect(rowsOf(page).nth(12)).toHaveAttribute('aria-current', 'true')
    await expect(rowsOf(page).nth(12)).toBeFocused()
    expect(await page.evaluate(() => window.scrollY)).toBe(scrolled)
    await expect(detail(page)).toBeInViewport({ ratio: 0.9 })
    const id = detail(page).getByText(/^TXN/)
    const chosen = await id.textContent()
    await expectAccessible(page, 'transaction beside its list')

    await page.reload()
    await expect(id).toHaveText(chosen ?? '')
    await expect(list(page).locator('[aria-current]')).toHaveCount(1)
    await page.setViewportSize(RAIL)
    await expect(list(page)).toHaveCount(0)
    await expect(page.getByText(chosen ?? '')).toBeVisible()
    await page.setViewportSize(PANES)

    await rowsOf(page).first().click()
    await expect(id).not.toHaveText(chosen ?? '')
    await page.goBack()
    await expect(id).toHaveText(chosen ?? '')
    await detail(page).getByRole('link', { name: 'Close' }).click()
    await expect(page).toHaveURL('/transactions')
    await expect(detail(page)).toContainText('No transaction selected')
    await expect(list(page).locator('[aria-current]')).toHaveCount(0)
  })

  test('choose with the keyboard, with the filters kept', async ({ page }) => {
    await visit(page)
    await page.goto('/transactions?category=food')
    await rowsOf(page).first().click()
    await expect(page).toHaveURL(/transaction-detail\?category=food&id=/)
    const [first, second] = await page.request
      .get('/api/v1/transactions?category=food&limit=2')
      .then((response) => response.json())
      .then(({ transactions }: { transactions: { id: string; transactionId: string }[] }) => transactions)
    await expect(detail(page)).toContainText(first?.transactionId ?? '')

    await page.keyboard.press('ArrowDown')
    await expect(rowsOf(page).nth(1)).toBeFocused()
    await expect(detail(page)).toContainText(second?.transactionId ?? '')
    await expect(page).toHaveURL(new RegExp(`category=food&id=${second?.id}`))
    await expect(rowsOf(page).nth(1)).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(detail(page)).toContainText(first?.transactionId ?? '')

    // What is typed goes on in the list; what is open stays.
    await list(page).getByRole('searchbox').fill('kettle')
    await expect(page).toHaveURL(/transaction-detail\?.*q=kettle/)
    await expect(detail(page)).toContainText(first?.transactionId ?? '')
    await expect(page).toHaveURL(new RegExp(`id=${first?.id}`))

    await rowsOf(page).first().focus()
    await page.keyboard.press('Enter')
    await expect(heading(detail(page), 'Transaction Details')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(rowsOf(page).first()).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(/\/transactions\?.*q=kettle/)
    await expect(detail(page)).toContainText('No transaction selected')
  })
})

test.describe('settings and their sections side by side', () => {
  test('the first is open, each has its address, and what was typed outlives a narrower window', async ({ page }) => {
    await signIn(page, `desktop.${randomUUID()}@example.com`, 'correct horse')
    await page.goto('/settings')
    await expect(heading(detail(page), 'Personal Information')).toBeVisible()
    await expect(page).toHaveTitle(/Settings · Alder$/)
    const marked = list(page).locator('[aria-current]')
    await expect(marked).toHaveText(['Personal Information'])
    await expectAccessible(page, 'settings')

    await list(page).getByRole('link', { name: 'Language' }).click()
    await expect(page).toHaveURL('/language')
    await expect(detail(page).getByRole('radio', { name: 'English' })).toBeVisible()
    await expect(marked).toHaveText(['Language'])
    await expect(list(page).getByRole('link', { name: 'Language' })).toBeFocused()
    await page.goBack()
    await expect(heading(detail(page), 'Personal Information')).toBeVisible()

    await list(page).getByRole('link', { name: 'Personal Information' }).click()
    await expect(page).toHaveURL('/personal-info')
    await detail(page).getByRole('button', { name: 'Edit' }).click()
    await detail(page).getByLabel('Address').fill('7 Alder Lane')
    await page.setViewportSize(RAIL)
    await expect(list(page)).toHaveCount(0)
    await expect(page.getByLabel('Address')).toHaveValue('7 Alder Lane')
    await page.setViewportSize(PANES)
    await expect(detail(page).getByLabel('Address')).toHaveValue('7 Alder Lane')
  })

  test('security is a section, and a list once one of its own is open', async ({ page }) => {
    await signIn(page, `desktop.${randomUUID()}@example.com`, 'correct horse')
    await page.goto('/settings')
    await list(page).getByRole('link', { name: 'Security & Privacy' }).click()
    await detail(page).getByRole('link', { name: 'Manage Devices' }).click()
    await expect(page).toHaveURL('/security-privacy/devices')
    await expect(heading(list(page), 'Security & Privacy')).toBeVisible()
    await expect(detail(page)).toContainText('This device')
    await expect(list(page).locator('[aria-current]')).toContainText(['Manage Devices'])
    await expectAccessible(page, 'security and devices')
    await list(page).getByRole('link', { name: 'Manage Devices' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect(page).toHaveURL('/security-privacy/activity')
    await page.reload()
    await expect(heading(detail(page), 'Security Activity')).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL('/security-privacy')
    await expect(heading(list(page), 'Settings')).toBeVisible()
  })
})

test.describe('the command palette', () => {
  const field = (page: Page) => page.getByRole('combobox', { name: 'Search Alder' })
  const active = (page: Page) => page.getByRole('option', { selected: true })

  test('finds screens, contacts and transactions, and is fetched when it is first opened', async ({ page }) => {
    const fetched: string[] = []
    page.on('request', (request) => fetched.push(request.url()))
    await visit(page)
    await page.goto('/dashboard')
    await expect(rail(page)).toBeVisible()
    expect(fetched.filter((url) => /\/palette-/.test(url))).toEqual([])

    await rail(page).getByRole('button', { name: 'Search' }).click()
    await expect(field(page)).toBeFocused()
    await expect(page.getByRole('group', { name: 'Suggested' }).getByRole('option')).toHaveCount(3)
    await expect(page.getByRole('group', { name: 'Contacts' })).toContainText('Sarah Johnson')
    await expectAccessible(page, 'palette')
    await page.keyboard.press('Escape')
    await expect(rail(page).getByRole('button', { name: 'Search' })).toBeFocused()

    await page.keyboard.press('ControlOrMeta+k')
    await field(page).fill('priv')
    await expect(active(page)).toHaveText('Security & Privacy')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/security-privacy')
    await expect(field(page)).toHaveCount(0)

    await page.keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('group', { name: 'Suggested' }).getByRole('option').first()).toHaveText('Home')
    await field(page).fill('sarah')
    await expect(active(page)).toContainText('sarah.johnson@example.com')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/transfer')
    const [latest] = await newest(page, 1)
    await page.getByLabel('Amount').fill('1')
    await page.getByRole('button', { name: 'Send Money' }).click()
    await expect(page).toHaveURL('/dashboard')
    const [sent] = await newest(page, 1)
    expect(sent).toMatchObject({ amountMinor: -100, name: { params: { name: 'Sarah Johnson' } } })

    await page.keyboard.press('ControlOrMeta+k')
    await field(page).fill('copper')
    await expect(page.getByRole('group', { name: 'Transactions' }).getByRole('option').first()).toContainText('−$5.60')
    await expectAccessible(page, 'palette with results')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/transaction-detail?id=${latest?.id}`)
    await page.keyboard.press('ControlOrMeta+k')
    await field(page).fill('copper')
    await expect(page.getByRole('group', { name: 'Transactions' })).toBeVisible()
    await page.keyboard.press('ArrowUp')
    await expect(active(page)).toHaveText('Show All in Transactions')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/transactions?q=copper')

    await page.keyboard.press('ControlOrMeta+k')
    await field(page).fill('no such thing')
    await expect(page.getByRole('status').filter({ hasText: 'Nothing found for “no such thing”' })).toBeVisible()
  })
})

test.describe('keys', () => {
  test('go to places, are listed, leave fields alone, and can be switched off', async ({ page }) => {
    await visit(page)
    await page.goto('/dashboard')
    await expect(page.getByRole('region', { name: 'Balance' })).toContainText('$')
    // The keys come after the screen.
    await page.waitForLoadState('networkidle')
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await expect(page.getByRole('searchbox')).toBeVisible()
    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox')).toBeFocused()
    await page.keyboard.type('s?')
    await expect(page.getByRole('searchbox')).toHaveValue('s?')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page).toHaveURL('/transactions?q=s%3F')
    await page.getByRole('searchbox').blur()
    await page.keyboard.press('s')
    await expect(page).toHaveURL('/transfer')
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(sheet).toBeVisible()
    await expectAccessible(page, 'keyboard shortcuts')
    // Nothing else opens above it.
    await page.keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('combobox')).toHaveCount(0)
    await sheet.getByRole('switch', { name: 'Single-Key Shortcuts' }).click()
    await page.keyboard.press('Escape')
    await expect(sheet).toHaveCount(0)
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.keyboard.press('?')
    await page.keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('combobox')).toBeFocused()
    await expect(page).toHaveURL('/transfer')
    await page.keyboard.type('keyb')
    await page.keyboard.press('Enter')
    await expect(sheet).toBeVisible()
  })
})
