import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Dashboard } from '#contract/accounts.ts'
import { queries } from '#web/app/query-client.ts'
import { router } from '#web/app/routes.tsx'
import { meQuery } from '#web/lib/me.ts'
import { expectNoAxeViolations } from '#web/test/accessible.ts'
import { open, openIn, runFakeTime } from '#web/test/app.tsx'
import { bank, emitLiveEvent } from '#web/test/bank.ts'

const balance = page.getByRole('region', { name: 'Balance' })
const announcement = () => balance.element().querySelector('[aria-live=polite]')?.textContent
const reels = () => document.querySelectorAll('.reel')
const listGlowing = () => [...document.querySelectorAll('li.animate-glow')].map(({ textContent }) => textContent)
const root = () => document.body.innerText

test('shows the figures of the account, the goal, and upcoming payments', async () => {
  const { customer } = await bank.recorded('/me')
  await open('/dashboard')
  await expect
    .element(page.getByRole('heading', { level: 1 }))
    .toHaveTextContent(`Good morning, ${customer.fullName.split(' ')[0]}`)
  expect(document.title).toMatch(/Home · Alder$/)
  await page.getByRole('button', { name: 'Dismiss' }).click()
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
  const recording = await bank.recorded('/dashboard')
  expect(recent.elements()).toHaveLength(recording.recent.length)
})

test('held and pending money is shown beside the available money', async () => {
  const recording = await bank.recorded('/dashboard')
  bank.get('/dashboard', { ...recording, account: { ...recording.account, heldMinor: 25_00, incomingMinor: 1_234_50 } })
  await open('/dashboard')
  await expect.element(balance).toMatchTextContent('$25.00 pending')
  await expect.element(balance).toMatchTextContent('$1,234.50 on its way to you')
})

test('hides every amount, and keeps them hidden on this device', async () => {
  const sums = /\$|\d%/
  await open('/dashboard')
  await page.getByRole('button', { name: 'Dismiss' }).click()
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

test('a balance that changes rolls once, even if another screen was open meanwhile', async () => {
  runFakeTime()
  const recording = await bank.recorded('/dashboard')
  const [latest] = recording.recent
  if (!latest) throw new Error('There is no transaction')
  /** Returns a dashboard with `count` more top-ups than the sample has. */
  const toppedUp = (count: number): Dashboard => ({
    ...recording,
    account: { ...recording.account, availableMinor: 12_458_50 + count * 25_00 },
    recent: [
      ...Array.from({ length: count }, (_, index) => ({
        ...latest,
        id: `top-up ${count - index}`,
        name: { code: 'top_up.card' as const, params: {} },
        amountMinor: 25_00,
        category: 'top_up' as const,
        bookedAt: new Date(Date.parse(recording.now) + (count - index) * 1000).toISOString(),
      })),
      ...recording.recent,
    ].slice(0, recording.recent.length),
  })
  await open('/dashboard')
  await expect.poll(announcement).toBe('$12,458.50')
  expect(listGlowing()).toEqual([])
  bank.get('/dashboard', toppedUp(1))
  emitLiveEvent({ type: 'balance' })
  await expect.poll(reels).not.toHaveLength(0)
  // A screen reader gets the new balance while the digits on screen still roll.
  expect(announcement()).toBe('$12,483.50')
  // With reduced motion, the digits do not roll.
  for (const strip of document.querySelectorAll('.reel-strip')) {
    const { animationDuration, animationDelay } = getComputedStyle(strip)
    expect(Number.parseFloat(animationDuration) + Number.parseFloat(animationDelay)).toBeLessThan(0.001)
  }
  await expect.poll(listGlowing).toEqual([expect.stringContaining('Card deposit')])
  await vi.advanceTimersByTimeAsync(1_200)
  await expect.poll(reels).toHaveLength(0)

  await page.getByRole('link', { name: 'Settings' }).click()
  bank.get('/dashboard', toppedUp(2))
  emitLiveEvent({ type: 'balance' })
  await page.getByRole('link', { name: 'Back' }).click()
  await expect.poll(reels).not.toHaveLength(0)
  await expect.poll(announcement).toBe('$12,508.50')
  await vi.advanceTimersByTimeAsync(1_200)
  await expect.poll(reels).toHaveLength(0)
})

test('links to every place, and each place links back', async () => {
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
    // The focus moves to the heading of the new screen, so that a screen reader starts there.
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus()
    await expect.element(page.getByRole('link', { name: 'Back' })).toHaveAttribute('href', '/dashboard')
  }
})

test('features with names on two lines have their icons on one line with the others', async () => {
  await openIn('pl', '/dashboard')
  await expect.element(page.getByRole('link', { name: 'Podziel rachunek' })).toBeVisible()
  const pictures = document.querySelectorAll(
    'main section a:is([href="/loans"], [href="/split-bill"], [href="/rewards"]) > svg',
  )
  expect(pictures).toHaveLength(3)
  expect(new Set([...pictures].map((picture) => picture.getBoundingClientRect().top)).size).toBe(1)
})

const REQUEST = {
  kind: 'request' as const,
  id: '0198f000-0000-7000-8000-000000000001',
  name: 'David Brown',
  amountMinor: 42_75,
  asset: 'USD' as const,
  note: 'Concert tickets',
}
const UNANSWERED: Dashboard['unanswered'] = [
  {
    kind: 'declined',
    cardId: 'card-1',
    id: '0198f000-0000-7000-8000-000000000002',
    name: 'Harbor Market',
    amountMinor: 80_00,
    asset: 'USD',
    reason: 'card_frozen',
  },
  REQUEST,
  { kind: 'mandate', id: '0198f000-0000-7000-8000-000000000003', name: 'Brightwater Energy' },
  { kind: 'identity', id: 'identity', again: true },
]
const attention = page.getByRole('region', { name: 'Needs Your Attention' })
const boxOf = (element: Element) => element.getBoundingClientRect()

test('open tasks are below the balance: the most urgent, and the others on demand', async () => {
  bank.get('/dashboard', { ...(await bank.recorded('/dashboard')), unanswered: UNANSWERED })
  await open('/dashboard')
  await expect.element(attention).toMatchTextContent('$80.00 at Harbor Market was declined')
  await expect.element(attention).toMatchTextContent('Your card is frozen. Unfreeze it to pay.')
  expect(attention.getByRole('link').elements()).toHaveLength(1)
  expect(boxOf(attention.element()).top).toBeGreaterThanOrEqual(boxOf(balance.element()).bottom)
  expect(boxOf(attention.element()).top).toBeLessThan(boxOf(balance.element()).bottom + 24)
  await attention.getByRole('button', { name: 'Show 3 More' }).click()
  const leads = [
    [/^\$80\.00 at Harbor Market was declined/, '/cards'],
    [/^David Brown requested \$42\.75.*Concert tickets/, `/request?id=${REQUEST.id}`],
    [/^Brightwater Energy requested a direct debit/, '/payment-methods'],
    [/^We need your documents again/, '/kyc'],
  ] as const
  for (const [name, path] of leads)
    await expect.element(attention.getByRole('link', { name })).toHaveAttribute('href', path)
  await expectNoAxeViolations('what needs an answer')
  await page.getByRole('button', { name: 'Hide Balance' }).click()
  await expect.element(attention).toMatchTextContent('Your payment at Harbor Market was declined')
  await expect.element(attention).toMatchTextContent('David Brown requested money')
  await expect.element(attention).not.toMatchTextContent(/\$/)
})

/** The height of a phone's first screen above the tab bar, in pixels. */
const FIRST_SCREEN = 844 - 60

test('the newest transaction is on a phone’s first screen, even for a new customer with a request for money', async () => {
  await page.viewport(390, 844)
  bank.get('/dashboard', { ...(await bank.recorded('/dashboard')), unanswered: [REQUEST, ...UNANSWERED] })
  await open('/dashboard')
  await expect.element(attention).toBeVisible()
  await expect.element(page.getByRole('banner')).toMatchTextContent('This is a sample customer')
  await expect.element(page.getByRole('heading', { name: 'Recent Transactions' })).toBeVisible()
  const [newest] = page
    .getByRole('main')
    .getByRole('link', { name: /(plus|minus) \$/ })
    .elements()
  expect(newest && boxOf(newest).bottom).toBeLessThanOrEqual(FIRST_SCREEN)
  // Upcoming payments are shown below past transactions.
  const upcomingHeading = page.getByRole('heading', { name: 'Upcoming' }).element()
  expect(newest && boxOf(upcomingHeading).top).toBeGreaterThan(boxOf(newest as Element).bottom)
})

test('no two links lead to one place', async () => {
  await open('/dashboard')
  await expect.element(page.getByRole('heading', { name: 'Upcoming' })).toBeVisible()
  const names = [...document.querySelectorAll('[data-screen] :is(a, button)')].map(
    (control) => control.getAttribute('aria-label') ?? control.textContent,
  )
  expect(names.length).toBeGreaterThan(20)
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted())
})

test('a desktop shows the account and its activity side by side', async () => {
  await page.viewport(1280, 800)
  await open('/dashboard')
  const recent = page.getByRole('heading', { name: 'Recent Transactions' })
  await expect.element(recent).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Upcoming' })).toBeVisible()
  expect(boxOf(recent.element()).left).toBeGreaterThan(boxOf(balance.element()).right)
  expect(boxOf(recent.element()).top).toBeLessThan(boxOf(balance.element()).bottom)
  await expectNoAxeViolations('desktop')
})

test('a new visitor gets one notice that the customer is a sample, and where its controls are', async () => {
  const newcomerText = page.getByText(/^This is a sample customer/)
  const controls = page.getByRole('link', { name: 'Sample Controls' })
  await open('/dashboard')
  await expect.element(newcomerText).toBeVisible()
  await expect.element(controls).toHaveAttribute('href', '/sample')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect.element(newcomerText).not.toBeInTheDocument()
  await expect.element(page.getByRole('banner')).toMatchTextContent("You've spent")
  // The sample controls stay at the foot of the screen.
  await expect.element(controls).toBeVisible()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Back' }).click()
  await expect.element(balance).toBeVisible()
  await expect.element(newcomerText).not.toBeInTheDocument()

  // Another customer on this device sees the note again. A customer of a live bank never sees it.
  const me = await bank.recorded('/me')
  queries.setQueryData(meQuery.queryKey, { ...me, customer: { ...me.customer, email: 'somebody.else@example.com' } })
  await expect.element(newcomerText).toBeVisible()
  queries.setQueryData(meQuery.queryKey, { ...me, mode: 'live' })
  await expect.element(newcomerText).not.toBeInTheDocument()
  await expect.element(controls).not.toBeInTheDocument()
})
