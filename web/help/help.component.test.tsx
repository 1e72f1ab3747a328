import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { readAddress, open, openIn } from '#web/test/app.tsx'
import { recordedRequests } from '#web/test/bank.ts'

const PANES = [1280, 800] as const
const FREEZE = /^If you can't find your card, choose Freeze: from that moment, new payments are declined\./

const main = page.getByRole('main')
const box = page.getByRole('searchbox')
const status = main.getByRole('status')
const results = () => [...document.querySelectorAll<HTMLElement>('[data-results] a')]
/** Returns the first result. A click on it moves the focus out of the box. */
const first = () => page.elementLocator(results()[0] ?? document.body)
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const back = page.getByRole('link', { name: 'Back', exact: true })
const topicsTitle = page.getByRole('heading', { name: 'Popular Topics' })
const topics = () => [...(topicsTitle.query()?.closest('section')?.querySelectorAll('a') ?? [])]
const TOPICS = [
  ['Managing Cards', 8],
  ['Security & Privacy', 12],
  ['Account Settings', 10],
  ['Payments & Transfers', 15],
] as const

test('shows the ways to ask, topics with their number of articles, and its statements', async () => {
  await open('/help-center')
  await expect.element(heading('Help Center')).toBeVisible()
  await expect.element(box).toHaveAttribute('placeholder', 'Search for help')
  await expect.element(page.getByRole('link', { name: /^Live Chat/ })).toHaveAttribute('href', '/ai-advisor')
  await expect
    .element(page.getByRole('link', { name: /^Email Support/ }))
    .toHaveAttribute('href', 'mailto:help@alder.example')
  await expect.element(page.getByRole('link', { name: /^Phone Support/ })).toHaveAttribute('href', 'tel:+18005550199')
  const claims = page.getByRole('region', { name: '24/7 Support' })
  await expect.element(claims).toMatchTextContent('Average response: under 2 minutes.')
  await expect.element(claims.getByRole('link', { name: 'Start Chat Now' })).toHaveAttribute('href', '/ai-advisor')
  await expect.element(back).toHaveAttribute('href', '/settings')

  expect(topics().map(({ textContent }) => textContent)).toEqual(
    TOPICS.map(([name, count]) => `${name}${count} articles`),
  )
  for (const [name, count] of TOPICS) {
    await page.getByRole('link', { name: new RegExp(`^${name}`) }).click()
    await expect.element(heading(name)).toHaveFocus()
    await expect.poll(() => main.getByRole('listitem').elements().length).toBe(count)
    await back.click()
    await expect.element(heading('Help Center')).toHaveFocus()
  }
})

test('a topic links to its articles, each of which links to its screen, and Back returns the same way', async () => {
  await open('/help-center')
  await page.getByRole('link', { name: /^Managing Cards/ }).click()
  await page.getByRole('link', { name: 'Freeze a lost card' }).click()
  await expect.element(heading('Freeze a lost card')).toBeVisible()
  expect(readAddress()).toBe('/help-center/article?topic=cards&id=freeze_card')
  await expect.poll(() => document.title).toMatch(/Freeze a lost card · Alder$/)
  await expect.element(page.getByText(FREEZE)).toBeVisible()
  await expect.element(main.getByRole('link', { name: 'Cards' })).toHaveAttribute('href', '/cards')
  history.back()
  await expect.element(heading('Managing Cards')).toBeVisible()
  history.forward()
  await expect.element(heading('Freeze a lost card')).toBeVisible()
  await back.click()
  await expect.poll(readAddress).toBe('/help-center?topic=cards')
})

test('an unknown article shows an error, and links to the others', async () => {
  await open('/help-center/article?id=no_such_article')
  await expect.element(page.getByRole('heading', { name: 'Article not found' })).toBeVisible()
  await main.getByRole('link', { name: 'Help Center' }).click()
  await expect.poll(readAddress).toBe('/help-center')
})

test('finds articles during typing, without requests to the bank, and shows their number', async () => {
  await open('/help-center')
  await expect.element(topicsTitle).toBeVisible()
  // The app's own requests run during or after the first render.
  await expect.poll(() => recordedRequests.some(({ path }) => path === '/me')).toBe(true)
  recordedRequests.length = 0
  await userEvent.type(box, 'card')
  await expect.element(status).toMatchTextContent(/^\d+ results$/)
  expect(topicsTitle.query()).toBeNull()
  await userEvent.type(box, ' FROZEN')
  await expect.poll(() => results().map(({ textContent }) => textContent)).toHaveLength(2)
  expect(results()[0]?.textContent).toMatch(/^When a card payment is declined/)
  // Only the steps of this article contain the word.
  expect(results()[1]?.textContent).toMatch(/^Freeze a lost card/)
  await expect.element(status).toHaveTextContent('2 results')
  await expect.poll(readAddress).toBe('/help-center?q=card+FROZEN')
  await box.fill('zebra')
  await expect.element(status).toHaveTextContent('Nothing found for “zebra”')
  await expect.element(page.getByRole('heading', { name: 'Nothing found for “zebra”' })).toBeVisible()
  await expect.element(main.getByRole('link', { name: 'Start Chat Now' })).toHaveAttribute('href', '/ai-advisor')
  await page.getByRole('button', { name: 'Clear Search' }).click()
  await expect.element(topicsTitle).toBeVisible()
  expect(recordedRequests.filter(({ query, path }) => query.size > 0 || path.includes('help'))).toEqual([])
})

test('the results are there again after an article, by either way back', async () => {
  await open('/help-center')
  await box.fill('iPhone')
  await expect.poll(results).toHaveLength(1)
  for (const goBack of [async () => history.back(), () => back.click()]) {
    await first().click()
    await expect.element(heading('Get notifications on your device')).toBeVisible()
    await goBack()
    await expect.element(box).toHaveValue('iPhone')
    await expect.poll(results).toHaveLength(1)
  }
})

test('in a wide window, an article opened from the results stays open, and the keys move between articles', async () => {
  await page.viewport(...PANES)
  await open('/help-center')
  const detail = page.elementLocator(document.body).getByText('No article selected')
  const readOpenTitle = () => document.querySelector('[data-detail] h1')?.textContent
  await expect.element(detail).toBeVisible()
  // The key opens the palette if the screen has no search box yet.
  await expect.element(box).toBeVisible()
  // The keyboard handler is loaded with the side navigation.
  await expect.element(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await userEvent.keyboard('/')
  await expect.element(box).toHaveFocus()
  // The key is pressed before the address follows the typed text.
  await box.fill('virtual')
  await userEvent.keyboard('{ArrowDown}')
  await expect.poll(() => document.activeElement).toBe(results()[0])
  await userEvent.keyboard('{Enter}')
  await expect.poll(readOpenTitle).toBe('Create a virtual card')
  await expect.poll(() => results()[0]?.getAttribute('aria-current')).toBe('true')
  await expect.poll(readAddress).toBe('/help-center/article?q=virtual&id=create_card')
  await userEvent.keyboard('{ArrowDown}')
  await expect.poll(readOpenTitle).toBe('Put money on a virtual card')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => document.activeElement).toBe(document.querySelector('[data-detail] h1'))
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('link', { name: 'Close' })).toHaveFocus()
  await userEvent.keyboard('{Tab}')
  expect(document.activeElement?.textContent).toBe('Cards')
  await userEvent.keyboard('{Escape}')
  await userEvent.keyboard('{Escape}')
  await expect.element(detail).toBeVisible()
  await expect.element(box).toHaveValue('virtual')
})

test('in a wide window, the search text is kept while an article opens by the mouse', async () => {
  await page.viewport(...PANES)
  await open('/help-center')
  const readOpenTitle = () => document.querySelector('[data-detail] h1')?.textContent
  await box.fill('premium')
  await expect.poll(() => results().length).toBeGreaterThan(0)
  await first().click()
  await expect.poll(readAddress).toBe('/help-center/article?q=premium&id=premium')
  await expect.poll(readOpenTitle).toBe('Upgrade to Premium, or cancel it')
  await box.fill('premium points')
  await expect.poll(readAddress).toBe('/help-center/article?q=premium+points&id=premium')
  expect(readOpenTitle()).toBe('Upgrade to Premium, or cancel it')
  history.back()
  await expect.poll(readAddress).toMatch(/^\/help-center\?q=/)
})

test('is found in any Arabic spelling, and displayed from right to left', async () => {
  await openIn('ar', '/help-center')
  expect(document.documentElement.dir).toBe('rtl')
  await expect.element(page.getByText('15 مقالًا')).toBeVisible()
  for (const query of ['تجميد بطاقه', 'بِطَاقَة، تجميد', 'تجـميد؛ البطاقة']) {
    await box.fill(query)
    await expect.poll(() => results()[0]?.textContent).toMatch('تجميد بطاقة مفقودة')
  }
  await first().click()
  await expect.element(heading('تجميد بطاقة مفقودة')).toBeVisible()
  await expect.element(main.getByRole('link', { name: 'البطاقات' })).toHaveAttribute('href', '/cards')
})
