import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { router } from '#web/app/routes.tsx'
import { readAddress, open } from '#web/test/app.tsx'
import { recordedRequests, bank } from '#web/test/bank.ts'

const rows = page
  .getByRole('main')
  .getByRole('listitem')
  .filter({ has: page.getByRole('link') })
const search = page.getByRole('searchbox', { name: 'Search transactions' })
const sheet = page.getByRole('dialog', { name: 'Filters' })
const filters = page.getByRole('button', { name: /^Filters/ })
const chips = page.getByRole('button', { name: /^Remove Filter/ })
const query = () => Object.fromEntries(new URLSearchParams(readAddress().split('?')[1]))

test('shows the week in two tiles and the list by day', async () => {
  await open('/transactions')
  await expect.element(page.getByRole('main')).toMatchTextContent(/Income.*\+\$3,500\.00.*Expenses.*−\$207\.98/)
  await expect.element(page.getByRole('main')).toMatchTextContent(/Net.*\+\$3,292\.02/)
  expect(document.title).toMatch(/Transactions · Alder$/)
  await expect.element(page.getByRole('heading', { name: 'Today' })).toBeVisible()
  const first = rows.first()
  for (const text of ['Copper Kettle Coffee', '8:12 AM', '−$5.60', 'Food & Drink'])
    await expect.element(first).toMatchTextContent(text)
  await expect.element(first).not.toMatchTextContent('Today')
})

test('continues to the first transaction as it is scrolled', async () => {
  const { transactions } = await bank.recorded('/transactions')
  const oldestTransactions = transactions
    .slice(0, 1)
    .map((transaction) => ({ ...transaction, id: 'oldest', bookedAt: '2026-01-05T09:00:00.000Z' }))
  bank.get('/transactions', (request) =>
    request.query.has('cursor')
      ? { transactions: oldestTransactions, nextCursor: null }
      : { transactions, nextCursor: 'older' },
  )
  await open('/transactions')
  await expect
    .poll(() => {
      scrollTo(0, document.body.scrollHeight)
      return page.getByText("That's everything").query()
    })
    .not.toBeNull()
  expect(rows.elements()).toHaveLength(transactions.length + 1)
  await expect.element(page.getByRole('heading', { name: /January/ }).last()).toBeVisible()
})

test('keeps the search and filters in the URL, through back, forward and a new visit', async () => {
  await open('/transactions')
  await filters.click()
  await sheet.getByRole('button', { name: 'Food & Drink' }).click()
  await sheet.getByRole('button', { name: 'This month' }).click()
  await sheet.getByLabelText('Minimum').fill('10')
  await sheet.getByLabelText('Maximum').fill('5')
  // A range in the wrong order is swapped.
  const chosenFilters = { category: 'food', from: '2026-08-01', to: '2026-08-31', minMinor: '500', maxMinor: '1000' }
  await expect
    .poll(() =>
      recordedRequests.some(
        (request) => request.path === '/transactions/count' && request.query.get('minMinor') === '500',
      ),
    )
    .toBe(true)
  const show = sheet.getByRole('button', { name: /^Show \d+ Transactions?$/ })
  await expect.element(show).toBeVisible()
  await expect.poll(() => recordedRequests.at(-1)?.query.get('maxMinor')).toBe('1000')
  await show.click()
  await expect.element(sheet).not.toBeInTheDocument()
  expect(query()).toEqual(chosenFilters)
  await expect.element(page.getByRole('button', { name: 'Remove Filter $5.00 – $10.00' })).toBeVisible()
  const readMatchCount = () =>
    Number(/(\d+) transactions?/.exec(document.querySelector('main [role=status]')?.textContent ?? '')?.[1])
  await expect.poll(readMatchCount).toBeGreaterThan(0)
  const count = readMatchCount()
  await expect.poll(() => rows.elements()).toHaveLength(count)
  expect(rows.filter({ hasText: 'Food & Drink' }).elements()).toHaveLength(count)

  await search.fill('copper')
  await expect.poll(query).toEqual({ ...chosenFilters, q: 'copper' })
  await expect.element(rows.first()).toMatchTextContent('Copper Kettle Coffee')
  await page.getByRole('button', { name: 'Remove Filter Food & Drink' }).click()
  await expect.poll(query).not.toHaveProperty('category')
  await router.navigate(-1)
  await expect.poll(query).toEqual({ ...chosenFilters, q: 'copper' })
  await router.navigate(1)
  await expect.poll(query).not.toHaveProperty('category')
})

test('the tiles show the bank’s sum of the search results, including those not yet loaded', async () => {
  const sums = { inMinor: 12_00, outMinor: 112_34, asset: 'USD' as const }
  bank.get('/transactions/count', { count: 321, more: false, sums })
  await open('/transactions?q=coffee')
  const main = page.getByRole('main')
  await expect
    .element(main)
    .toMatchTextContent(/Money In.*\+\$12\.00.*Money Out.*−\$112\.34.*Net.*−\$100\.34.*321 transactions/)
  await expect.element(main).not.toMatchTextContent('Last 7 days')
  // The bank returns no sum for more transactions than its limit.
  bank.get('/transactions/count', { count: 1000, more: true, sums: null })
  await search.fill('kettle')
  await expect.element(main).toMatchTextContent('Over 1,000 transactions')
  await expect.element(main).not.toMatchTextContent('Money Out')
  await search.fill('')
  await expect.element(main).toMatchTextContent('Last 7 days')
})

test('the address sets the search and filters, and invalid parts of it are ignored', async () => {
  await open('/transactions?q=copper&category=food&minMinor=500&maxMinor=1000')
  await expect.element(search).toHaveValue('copper')
  await expect.poll(() => chips.elements()).toHaveLength(2)
  await expect.element(rows.first()).toMatchTextContent('Copper Kettle Coffee')
  await router.navigate('/transactions?category=pets&minMinor=abc&from=yesterday&status=completed')
  await expect.poll(() => chips.elements()).toHaveLength(1)
  await expect.element(rows.first()).toBeVisible()
  await filters.click()
  await sheet.getByLabelText('Minimum').fill('1e3')
  await sheet.getByRole('button', { name: 'Show Transactions' }).click()
  await expect.element(sheet.getByText('Please enter a valid amount')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(sheet).not.toBeInTheDocument()
})

test('offers a next step if there are no results', async () => {
  await open('/transactions?q=no+such+thing')
  await expect.element(page.getByText('No transactions found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear Filters' }).click()
  await expect.poll(readAddress).toBe('/transactions')
  await expect.element(search).toHaveValue('')
  await expect.element(rows.first()).toBeVisible()

  await filters.click()
  await expect.element(sheet.getByRole('radio', { name: 'Any' })).toBeChecked()
  await sheet.getByLabelText('Minimum').fill('1,000,000')
  await expect.element(sheet.getByRole('button', { name: 'No Matching Transactions' })).toBeVisible()
  await sheet.getByRole('button', { name: 'Reset All' }).click()
  await sheet.getByRole('button', { name: /^Show \d\d+ Transactions$/ }).click()
  await expect.element(sheet).not.toBeInTheDocument()

  // A payment between people shows the other person's initials.
  await router.navigate('/transactions?category=transfer')
  await expect.element(rows.filter({ hasText: 'Sarah Johnson' }).first()).toMatchTextContent('SJ')
})
