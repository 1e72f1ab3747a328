import { beforeEach, describe, expect, test } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { router } from '#web/app/routes.tsx'
import { expectNoAxeViolations } from '#web/test/accessible.ts'
import { readAddress, open, openIn } from '#web/test/app.tsx'
import { recordedRequests, bank, changeRequests, refusalAnswer } from '#web/test/bank.ts'

const RAIL = [1100, 800] as const
const PANES = [1280, 800] as const

const rail = page.getByRole('navigation', { name: 'Main' })
/** The bar of a narrow screen has the same name as the rail. Only the rail has the button Log Out. */
const logOut = rail.getByRole('button', { name: 'Log Out' })
const place = (name: string) => rail.getByRole('link', { name, exact: true })
const search = page.getByRole('searchbox')
const headingNamed = (name: string) => page.getByRole('heading', { name, exact: true })
const textOf = (selector: string) => document.querySelector(selector)?.textContent ?? null
const list = () => document.querySelector('[data-list]')
const rows = () => [...(list()?.querySelectorAll<HTMLElement>('a[data-row]') ?? [])]
const row = (index: number) => page.elementLocator(rows()[index] ?? document.body)
/** Returns the text of the row that is marked as open. */
const listMarked = () => [...(list()?.querySelectorAll('[aria-current]') ?? [])].map(({ textContent }) => textContent)
const focused = () => document.activeElement
const detail = () => textOf('[data-detail]')
const detailTitle = () => textOf('[data-detail] h1')
const currentPlaces = () => place('Home').query()?.closest('nav')?.querySelectorAll('[aria-current]')

beforeEach(() => page.viewport(...PANES))

/** Opens a screen in a wide window. The shortcuts load with the rail. */
async function openDesktop(path: string): Promise<void> {
  await open(path)
  await expect.element(rail).toBeVisible()
}

async function openTransactions(path = '/transactions'): Promise<void> {
  await openDesktop(path)
  await expect.poll(() => rows().length).toBeGreaterThan(3)
}

/** Returns the newest transactions of a category. */
async function newestIn(category: string): Promise<{ id: string; transactionId: string }[]> {
  const { path = '' } =
    recordedRequests.find(
      (request) => request.path === '/transactions' && request.query.get('category') === category,
    ) ?? {}
  expect(path).not.toBe('')
  const { transactions } = await bank.recorded('/transactions')
  return transactions.filter((transaction) => transaction.category === category)
}

describe('the navigation rail', () => {
  test('links to the places and marks the current one, from 1024 pixels on', async () => {
    bank.delete('/session', {})
    bank.post('/session/passkey/options', refusalAnswer('too_many_requests'))
    await page.viewport(...RAIL)
    await openDesktop('/dashboard')
    await expect.element(place('Home')).toHaveAttribute('aria-current', 'page')
    const firstStop = document.querySelector<HTMLElement>('a[href], button')
    expect(firstStop?.textContent).toBe('Skip to Content')
    firstStop?.focus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => focused()?.tagName).toBe('H1')

    await place('Transactions').click()
    await expect.poll(readAddress).toBe('/transactions')
    await expect.element(page.getByRole('heading', { level: 1, name: 'Transactions' })).toHaveFocus()
    await expect.poll(() => currentPlaces()?.length).toBe(1)
    await expect.element(place('Transactions')).toHaveAttribute('aria-current', 'page')
    // A screen within a section marks the section with `true`, and not as the current page.
    await router.navigate('/language')
    await expect.element(place('Settings')).toHaveAttribute('aria-current', 'true')
    const moreButton = rail.getByRole('button', { name: 'More' })
    await moreButton.click()
    await place('Loans').click()
    await expect.poll(readAddress).toBe('/loans')
    await expect.element(place('Loans')).toHaveAttribute('aria-current', 'page')
    await expect.element(moreButton).toHaveAttribute('aria-expanded', 'true')
    await expectNoAxeViolations('rail')

    await page.viewport(1023, 800)
    await expect.element(logOut).not.toBeInTheDocument()
    await page.viewport(...RAIL)
    await expect.element(logOut).toBeVisible()
    // Larger text leaves too little space for the rail.
    document.documentElement.style.fontSize = '150%'
    await expect.element(logOut).not.toBeInTheDocument()
    document.documentElement.style.fontSize = ''
    await logOut.click()
    await expect.poll(readAddress).toBe('/login')
    await expect.element(logOut).not.toBeInTheDocument()
    expect(changeRequests()).toContainEqual(expect.objectContaining({ method: 'DELETE', path: '/session' }))
  })

  test('leaves room for a second column on screens with much content', async () => {
    const amount = page.getByRole('textbox', { name: 'Amount' })
    const sideBySide: Record<string, [Locator, Locator]> = {
      '/transfer': [amount, headingNamed('Recent Contacts')],
      '/request': [amount, headingNamed('Requests')],
      '/split-bill': [page.getByLabelText('Total Amount'), page.getByText('Sarah Johnson')],
      '/analytics': [headingNamed('Category Breakdown'), headingNamed('Monthly Trend')],
      '/carbon-footprint': [headingNamed('How We Estimate'), headingNamed('By Category')],
      '/statements': [headingNamed('Account Statement'), headingNamed('Summary')],
    }
    await openDesktop('/dashboard')
    for (const [path, [first, second]] of Object.entries(sideBySide)) {
      await router.navigate(path)
      await expect.element(first).toBeVisible()
      await expect.element(second).toBeVisible()
      const [firstBox, secondBox] = [first, second].map((part) => part.element().getBoundingClientRect())
      expect(secondBox?.left, path).toBeGreaterThan(firstBox?.right ?? NaN)
    }
  })

  test('is at the right in Arabic, and the panes follow to its left', async () => {
    await openIn('ar', '/settings')
    const x = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().x ?? NaN
    await expect.poll(detailTitle).not.toBeNull()
    await expect.poll(() => x('nav:has(button)')).toBeGreaterThan(x('[data-list]'))
    expect(x('[data-list]')).toBeGreaterThan(x('[data-detail]'))
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PANES[0])
    await expectNoAxeViolations('settings in Arabic')
  })
})

describe('transactions and their details side by side', () => {
  const id = () => /TXN\w{9}/.exec(detail() ?? '')?.[0] ?? null

  test('are chosen with the mouse: the list stays, and the address names the open transaction', async () => {
    await openTransactions()
    await expect.poll(detail).toContain('No transaction selected')
    await expectNoAxeViolations('nothing selected')

    await expect.poll(() => rows().length).toBeGreaterThan(12)
    rows()[12]?.scrollIntoView({ block: 'center' })
    const scrollBefore = scrollY
    expect(scrollBefore).toBeGreaterThan(0)
    await row(12).click()
    await expect.poll(readAddress).toMatch(/^\/transaction-detail\?id=/)
    await expect.poll(() => document.title).toMatch(/Transaction Details · Alder$/)
    await expect.element(row(12)).toHaveAttribute('aria-current', 'true')
    await expect.element(row(12)).toHaveFocus()
    expect(scrollY).toBe(scrollBefore)
    await expect.poll(id).not.toBeNull()
    const chosenId = id()
    const chosenAddress = readAddress()
    const { top = NaN, bottom = NaN } = document.querySelector('[data-detail] h1')?.getBoundingClientRect() ?? {}
    expect(top).toBeGreaterThanOrEqual(0)
    expect(bottom).toBeLessThan(innerHeight)
    await expectNoAxeViolations('transaction beside its list')

    // In a narrower window, the details are shown alone.
    await page.viewport(...RAIL)
    await expect.poll(list).toBeNull()
    await expect.element(page.getByText(chosenId ?? '')).toBeVisible()
    await page.viewport(...PANES)
    await expect.poll(() => rows().length).toBeGreaterThan(3)

    await row(0).click()
    await expect.poll(readAddress).not.toBe(chosenAddress)
    await expect.poll(id).not.toBe(chosenId)
    history.back()
    await expect.poll(id).toBe(chosenId)
    await page.getByRole('link', { name: 'Close' }).click()
    await expect.poll(readAddress).toBe('/transactions')
    await expect.poll(detail).toContain('No transaction selected')
    expect(listMarked()).toEqual([])
  })

  test('open the transaction in the address beside the list, which marks it', async () => {
    const [, second] = (await bank.recorded('/transactions')).transactions
    await openTransactions(`/transaction-detail?id=${second?.id}`)
    await expect.poll(id).toBe(second?.transactionId)
    await expect.poll(() => listMarked().length).toBe(1)
    await expect.element(row(1)).toHaveAttribute('aria-current', 'true')
  })

  test('are chosen with the keyboard, with the filters kept', async () => {
    await openTransactions('/transactions?category=food')
    await row(0).click()
    await expect.poll(readAddress).toMatch(/^\/transaction-detail\?category=food&id=/)
    const [first, second] = await newestIn('food')
    await expect.poll(id).toBe(first?.transactionId)

    await userEvent.keyboard('{ArrowDown}')
    await expect.poll(focused).toBe(rows()[1])
    await expect.poll(id).toBe(second?.transactionId)
    expect(readAddress()).toBe(`/transaction-detail?category=food&id=${second?.id}`)
    await expect.poll(focused).toBe(rows()[1])
    await userEvent.keyboard('{ArrowUp}')
    await expect.poll(id).toBe(first?.transactionId)

    // Typing continues in the list, and the details stay open.
    await search.fill('kettle')
    await expect.poll(readAddress).toMatch(/^\/transaction-detail\?.*q=kettle/)
    expect(id()).toBe(first?.transactionId)
    expect(readAddress()).toContain(`id=${first?.id}`)
    await expect.poll(() => recordedRequests.at(-1)?.query.get('q')).toBe('kettle')
    const names = () => rows().map(({ textContent }) => /Copper Kettle Coffee/.exec(textContent)?.[0] ?? textContent)
    await expect.poll(() => [...new Set(names())]).toEqual(['Copper Kettle Coffee'])

    rows()[0]?.focus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(focused).toBe(document.querySelector('[data-detail] h1'))
    await expect.poll(detailTitle).toBe('Transaction Details')
    await userEvent.keyboard('{Escape}')
    await expect.poll(focused).toBe(rows()[0])
    await userEvent.keyboard('{Escape}')
    await expect.poll(readAddress).toMatch(/^\/transactions\?.*q=kettle/)
    await expect.poll(detail).toContain('No transaction selected')
  })
})

describe('settings and their sections side by side', () => {
  const setting = (name: RegExp) => {
    const link = [...(list()?.querySelectorAll('a') ?? [])].find(({ textContent }) => name.test(textContent))
    return page.elementLocator(link ?? document.body)
  }

  test('open the first section, each with its own address, and keep the input in a narrower window', async () => {
    await openDesktop('/settings')
    await expect.poll(detailTitle).toBe('Personal Information')
    await expect.poll(() => document.title).toMatch(/Settings · Alder$/)
    await expect.poll(listMarked).toEqual(['Personal Information'])
    await expectNoAxeViolations('settings')

    await setting(/^Language/).click()
    await expect.poll(readAddress).toBe('/language')
    await expect.element(page.getByRole('radio', { name: 'English' })).toBeVisible()
    await expect.poll(listMarked).toEqual([expect.stringMatching(/^Language/)])
    await expect.element(setting(/^Language/)).toHaveFocus()
    history.back()
    await expect.poll(detailTitle).toBe('Personal Information')

    await setting(/^Personal Information/).click()
    await expect.poll(readAddress).toBe('/personal-info')
    await page.getByRole('button', { name: 'Edit' }).click()
    const addressField = page.getByLabelText('Address')
    await addressField.fill('7 Alder Lane')
    await page.viewport(...RAIL)
    await expect.poll(list).toBeNull()
    await expect.element(addressField).toHaveValue('7 Alder Lane')
    await page.viewport(...PANES)
    await expect.poll(list).not.toBeNull()
    await expect.element(addressField).toHaveValue('7 Alder Lane')
  })

  test('show security as a section, and as a list when one of its parts is open', async () => {
    const security = await bank.recorded('/security')
    bank.get('/security', { ...security, hasPassword: true })
    await openDesktop('/settings')
    await expect.poll(list).not.toBeNull()
    await setting(/^Security & Privacy/).click()
    await page.getByRole('link', { name: /^Manage Devices/ }).click()
    await expect.poll(readAddress).toBe('/security-privacy/devices')
    await expect.poll(() => textOf('[data-list] h1')).toBe('Security & Privacy')
    await expect.poll(detail).toContain('This Device')
    await expect.poll(listMarked).toEqual([expect.stringContaining('Manage Devices')])
    await expectNoAxeViolations('security and devices')
    const devices = setting(/^Manage Devices/).element()
    if (devices instanceof HTMLElement) devices.focus()
    await userEvent.keyboard('{ArrowDown}')
    await expect.poll(readAddress).toBe('/security-privacy/activity')
    await expect.poll(detailTitle).toBe('Security Activity')
    history.back()
    await expect.poll(readAddress).toBe('/security-privacy')
    await expect.poll(() => textOf('[data-list] h1')).toBe('Settings')
  })
})

describe('the command palette', () => {
  const field = page.getByRole('combobox', { name: 'Search Alder' })
  const active = page.getByRole('option', { selected: true })
  const optionsOf = (name: string) => page.getByRole('group', { name }).getByRole('option')
  const openPalette = () => userEvent.keyboard('{Control>}k{/Control}')

  test('finds screens, contacts and transactions', async () => {
    await openDesktop('/dashboard')
    const opener = rail.getByRole('button', { name: 'Search' })
    await opener.click()
    await expect.element(field).toHaveFocus()
    await expect.poll(() => optionsOf('Suggested').elements().length).toBe(3)
    await expect.element(page.getByRole('group', { name: 'Contacts' })).toMatchTextContent('Sarah Johnson')
    await expectNoAxeViolations('palette')
    await userEvent.keyboard('{Escape}')
    await expect.element(opener).toHaveFocus()

    await openPalette()
    await field.fill('priv')
    await expect.element(active).toMatchTextContent(/^Security & Privacy$/)
    await userEvent.keyboard('{Enter}')
    await expect.poll(readAddress).toBe('/security-privacy')
    await expect.element(field).not.toBeInTheDocument()

    await openPalette()
    // The last visited screen is first.
    await expect.element(optionsOf('Suggested').first()).toMatchTextContent(/^Home$/)
    await field.fill('sarah')
    await expect.element(active).toMatchTextContent('sarah.johnson@example.com')
    await userEvent.keyboard('{Enter}')
    await expect.poll(readAddress).toBe('/transfer')
    await expect.element(page.getByLabelText('Recipient')).toHaveValue('sarah.johnson@example.com')

    const kettle = (await newestOf('copper'))[0]
    await openPalette()
    await field.fill('copper')
    await expect.element(optionsOf('Transactions').first()).toMatchTextContent('−$5.60')
    await expectNoAxeViolations('palette with results')
    await userEvent.keyboard('{Enter}')
    await expect.poll(readAddress).toBe(`/transaction-detail?id=${kettle?.id}`)
    await openPalette()
    await field.fill('copper')
    await expect.element(page.getByRole('group', { name: 'Transactions' })).toBeVisible()
    await userEvent.keyboard('{ArrowUp}')
    await expect.element(active).toMatchTextContent(/^Show All in Transactions$/)
    await userEvent.keyboard('{Enter}')
    await expect.poll(readAddress).toBe('/transactions?q=copper')

    await openPalette()
    await field.fill('no such thing')
    await expect.element(page.getByText('Nothing found for “no such thing”').first()).toBeInTheDocument()
  })

  async function newestOf(name: string): Promise<{ id: string }[]> {
    const { transactions } = await bank.recorded('/transactions')
    return transactions.filter((transaction) => transaction.name.params['name']?.toLowerCase().includes(name))
  }
})

test('keys open places, are listed, do not affect fields, and can be switched off', async () => {
  const palette = page.getByRole('combobox')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await openDesktop('/dashboard')
  await expect.element(page.getByRole('region', { name: 'Balance' })).toMatchTextContent('$')
  await userEvent.keyboard('gt')
  await expect.element(search).toBeVisible()
  await userEvent.keyboard('/')
  await expect.element(search).toHaveFocus()
  await userEvent.keyboard('s?')
  await expect.element(search).toHaveValue('s?')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.poll(readAddress).toBe('/transactions?q=s%3F')
  const box = search.element()
  if (box instanceof HTMLElement) box.blur()
  await userEvent.keyboard('s')
  await expect.poll(readAddress).toBe('/transfer')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Send Money' })).toHaveFocus()
  await userEvent.keyboard('?')
  await expect.element(sheet).toBeVisible()
  await expectNoAxeViolations('keyboard shortcuts')
  // The shortcut opens nothing above another sheet.
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(palette).not.toBeInTheDocument()
  await sheet.getByRole('switch', { name: 'Single-Key Shortcuts' }).click()
  await userEvent.keyboard('{Escape}')
  await expect.element(sheet).not.toBeInTheDocument()
  await userEvent.keyboard('gh?')
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(palette).toHaveFocus()
  expect(readAddress()).toBe('/transfer')
  await userEvent.keyboard('keyb{Enter}')
  await expect.element(sheet).toBeVisible()
})
