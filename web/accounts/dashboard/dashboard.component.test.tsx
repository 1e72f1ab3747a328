import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Dashboard } from '#contract/accounts.ts'
import { router } from '#web/app/routes.tsx'
import { open, openIn, withTime } from '#web/test/app.tsx'
import { bank, happens } from '#web/test/bank.ts'

const balance = page.getByRole('region', { name: 'Balance' })
const said = () => balance.element().querySelector('[aria-live=polite]')?.textContent
const reels = () => document.querySelectorAll('.reel')
const glowing = () => [...document.querySelectorAll('li.animate-glow')].map(({ textContent }) => textContent)
const root = () => document.body.innerText

test('shows the figures of the account, the goal, and what is coming up', async () => {
  const { customer } = await bank.recorded('/me')
  await open('/dashboard')
  await expect
    .element(page.getByRole('heading', { level: 1 }))
    .toHaveTextContent(`Good morning, ${customer.fullName.split(' ')[0]}`)
  expect(document.title).toMatch(/Dashboard · Alder$/)
  await expect
    .element(page.getByRole('banner'))
    .toMatchTextContent("You've spent $1,500.00 this month, 8.5% less than at this point last month.")
  await expect.element(balance).toMatchTextContent('$12,458.50')
  await expect.element(balance).toMatchTextContent('+$2,340.00 this month')
  const goal = page.getByRole('region', { name: 'Savings goal' })
  await expect.element(goal).toMatchTextContent(/Vacation Fund.*\$2,450\.00 of \$5,000\.00/)
  await expect.element(goal.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '49')
  await expect.element(page.getByRole('heading', { name: 'Upcoming' })).toBeVisible()
  for (const bill of [/^Brightwater Energy.*\$145\.00/, /^Fernline Broadband.*\$65\.00/])
    await expect.element(page.getByRole('link', { name: bill })).toHaveAttribute('href', '/payment-methods')
  const recent = page.getByRole('main').getByRole('link', { name: /(plus|minus) \$/ })
  const known = await bank.recorded('/dashboard')
  expect(recent.elements()).toHaveLength(known.recent.length)
})

test('what is held and what is on its way stand beside what can be spent', async () => {
  const known = await bank.recorded('/dashboard')
  bank.get('/dashboard', { ...known, account: { ...known.account, heldMinor: 25_00, incomingMinor: 1_234_50 } })
  await open('/dashboard')
  await expect.element(balance).toMatchTextContent('$25.00 held')
  await expect.element(balance).toMatchTextContent('$1,234.50 on its way to you')
})

test('hides every sum, and keeps them hidden on this device', async () => {
  const sums = /\$|\d%/
  await open('/dashboard')
  await page.getByRole('button', { name: 'Hide Balance' }).click()
  await expect.poll(root).not.toMatch(sums)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Back' }).click()
  await expect.element(balance).toMatchTextContent('Balance hidden')
  await expect.element(page.getByRole('region', { name: 'Savings goal' })).toMatchTextContent('Amount hidden')
  await expect.element(page.getByRole('link', { name: /Copper Kettle.*Amount hidden/ }).first()).toBeVisible()
  await expect.element(page.getByRole('banner')).toMatchTextContent("You've spent")
  expect(root()).not.toMatch(sums)
  await page.getByRole('button', { name: 'Show Balance' }).click()
  await expect.element(balance).toMatchTextContent('$12,458.50')
})

test('a balance that changes rolls once, also where another screen was open meanwhile', async () => {
  withTime()
  const known = await bank.recorded('/dashboard')
  const [latest] = known.recent
  if (!latest) throw new Error('There is no transaction')
  /** From now on there are so many more top-ups than in the sample. */
  const toppedUp = (count: number): Dashboard => ({
    ...known,
    account: { ...known.account, availableMinor: 12_458_50 + count * 25_00 },
    recent: [
      ...Array.from({ length: count }, (_, index) => ({
        ...latest,
        id: `top-up ${count - index}`,
        name: { code: 'top_up.card' as const, params: {} },
        amountMinor: 25_00,
        category: 'top_up' as const,
        bookedAt: new Date(Date.parse(known.now) + (count - index) * 1000).toISOString(),
      })),
      ...known.recent,
    ].slice(0, known.recent.length),
  })
  await open('/dashboard')
  await expect.poll(said).toBe('$12,458.50')
  expect(glowing()).toEqual([])
  bank.get('/dashboard', toppedUp(1))
  happens({ type: 'balance' })
  await expect.poll(reels).not.toHaveLength(0)
  // A screen reader is given the new balance while its figures still roll.
  expect(said()).toBe('$12,483.50')
  // Without motion they only stand there.
  for (const strip of document.querySelectorAll('.reel-strip')) {
    const { animationDuration, animationDelay } = getComputedStyle(strip)
    expect(Number.parseFloat(animationDuration) + Number.parseFloat(animationDelay)).toBeLessThan(0.001)
  }
  await expect.poll(glowing).toEqual([expect.stringContaining('Card top-up')])
  await vi.advanceTimersByTimeAsync(1_200)
  await expect.poll(reels).toHaveLength(0)

  await page.getByRole('link', { name: 'Settings' }).click()
  bank.get('/dashboard', toppedUp(2))
  happens({ type: 'balance' })
  await page.getByRole('link', { name: 'Back' }).click()
  await expect.poll(reels).not.toHaveLength(0)
  await expect.poll(said).toBe('$12,508.50')
  await vi.advanceTimersByTimeAsync(1_200)
  await expect.poll(reels).toHaveLength(0)
})

test('leads everywhere it says, and each place leads back', async () => {
  bank.post('/notifications/read', { unread: 0 })
  await open('/dashboard')
  await expect.element(balance).toMatchTextContent('$12,458.50')
  const links = [
    [/^Add Money$/, '/add-money'],
    [/^Send$/, '/transfer'],
    [/^Request$/, '/request'],
    [/^Cards$/, '/cards'],
    [/^Invest$/, '/invest'],
    [/^Add to Vacation Fund$/, '/savings'],
    [/^AI Advisor/, '/ai-advisor'],
    [/^Analytics$/, '/analytics'],
    [/^Crypto$/, '/crypto'],
    [/^Carbon$/, '/carbon-footprint'],
    [/^Loans$/, '/loans'],
    [/^Split Bill$/, '/split-bill'],
    [/^Rewards$/, '/rewards'],
    [/^See All$/, '/transactions'],
    [/^Notifications/, '/notifications'],
    [/^Settings$/, '/settings'],
  ] as const
  for (const [name, path] of links)
    await expect.element(page.getByRole('link', { name }).first()).toHaveAttribute('href', path)
  for (const [, path] of links) {
    await router.navigate(path)
    // A screen reader is taken to the heading of the new screen.
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus()
    await expect.element(page.getByRole('link', { name: 'Back' })).toHaveAttribute('href', '/dashboard')
  }
})

test('features whose names need a line more have their pictures on one line with the others', async () => {
  await openIn('pl', '/dashboard')
  await expect.element(page.getByRole('link', { name: 'Podziel rachunek' })).toBeVisible()
  const pictures = document.querySelectorAll(
    'main section a:is([href="/loans"], [href="/split-bill"], [href="/rewards"]) > svg',
  )
  expect(pictures).toHaveLength(3)
  expect(new Set([...pictures].map((picture) => picture.getBoundingClientRect().top)).size).toBe(1)
})
