import { randomUUID } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'
import { lineNamed } from '#contract/wording.ts'
import type { TransactionDetail } from '#contract/accounts.ts'
import { arrive, ask, available, newest, someoneElse, speak, toast, visit } from './bank.ts'

async function fill(page: Page, amount: string, recipient: string, note = ''): Promise<void> {
  await page.goto('/transfer')
  await page.getByLabel('Amount').fill(amount)
  await page.getByLabel('Recipient').fill(recipient)
  if (note) await page.getByLabel('Note (optional)').fill(note)
}

const send = (page: Page) => page.getByRole('button', { name: 'Send Money' }).click()

test('sends to a recent contact, says so and goes back', async ({ page }) => {
  await arrive(page)
  await page.getByRole('link', { name: 'Send', exact: true }).first().click()
  await expect(page.getByText('$12,458.50 available')).toBeVisible()
  await page.getByLabel('Amount').pressSequentially('12.5')
  await page.getByRole('button', { name: 'Sarah Johnson' }).click()
  await expect(page.getByLabel('Amount')).toHaveValue('12.50')
  await expect(page.getByLabel('Recipient')).toHaveValue('sarah.johnson@example.com')
  await expect(page.getByLabel('Recipient')).toHaveAccessibleDescription('Sarah Johnson')
  await expect(page.getByText('$12.50 to Sarah Johnson, right away')).toBeVisible()
  await page.getByLabel('Note (optional)').fill('Coffee')
  await send(page)
  await expect(toast(page, '$12.50 sent successfully to sarah.johnson@example.com')).toBeVisible()
  const done = page.getByRole('button', { name: 'Send Money' })
  await expect(done).toBeDisabled()
  await expect(done).toHaveCSS('opacity', '1')
  await expect(page).toHaveURL('/transfer')
  await expect(page).toHaveURL('/dashboard', { timeout: 3_000 })
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('$12,446.00')
  await expect(page.getByRole('link', { name: /Sarah Johnson.*minus \$12\.50/ })).toBeVisible()

  expect(await available(page)).toBe(1_244_600)
  expect((await newest(page, 1))[0]).toMatchObject({
    name: lineNamed('Sarah Johnson'),
    amountMinor: -1250,
    category: 'transfer',
    status: 'completed',
    note: 'Coffee',
    balanceAfterMinor: 1_244_600,
  })
})

test('arrives live at another customer, who is told by whom and how much', async ({ page, browser }) => {
  const sender = await visit(page)
  const { page: other, customer } = await someoneElse(browser)
  await other.goto('/transactions')
  await expect(other.locator('main li a').first()).toBeVisible()
  await fill(page, '42', `  ${customer.email.toUpperCase()} `, 'Lunch')
  await send(page)
  await expect(toast(other, `${sender.fullName} sent you $42.00`)).toBeVisible()
  await expect(other.getByRole('link', { name: new RegExp(`${sender.fullName}.*\\+\\$42\\.00`) })).toBeVisible()
  expect(await available(page)).toBe(1_241_650)
  expect(await available(other)).toBe(1_250_050)
  await other.context().close()
})

test.describe('money to someone who is no customer', () => {
  test('waits, can be claimed with its link once, and is seen by both', async ({ page, browser }) => {
    await visit(page)
    const email = `friend.${randomUUID()}@elsewhere.example`
    await fill(page, '25', email)
    await send(page)
    // Whether it is a customer's, only the payment itself says.
    await expect(page.getByText(`$25.00 to ${email}. If they aren't with Alder yet`)).toBeVisible()
    await expect(toast(page, `$25.00 sent successfully to ${email}`)).toBeVisible()
    await expect(page).toHaveURL('/dashboard', { timeout: 4_000 })
    await expect(page.getByRole('region', { name: 'Balance' })).toContainText('$25.00 held')
    await expect(page.getByRole('region', { name: 'Balance' })).toContainText('$12,433.50')

    await page.getByRole('link', { name: /friend\..*Pending/ }).click()
    await expect(page.getByText('Waiting to be accepted')).toBeVisible()
    const [sent] = await newest(page, 1)
    const { claim } = await ask<TransactionDetail>(page, `/transactions/${sent?.id}`)
    expect(sent?.status).toBe('pending')
    const link = new URL(claim?.url ?? '')
    await expect(page.getByText(link.pathname + link.search, { exact: false })).toBeVisible()

    const { page: other } = await someoneElse(browser)
    await other.goto(link.pathname + link.search)
    await other.getByRole('button', { name: 'Accept $25.00' }).click()
    await expect(toast(other, 'is in your account')).toBeVisible()
    await expect(other).toHaveURL('/dashboard', { timeout: 4_000 })
    expect(await available(other)).toBe(1_248_350)
    expect(await available(page)).toBe(1_243_350)

    await other.goto(link.pathname + link.search)
    await expect(other.getByText('This money has been accepted')).toBeVisible()
    await other.context().close()
  })

  test('comes back when it is cancelled', async ({ page }) => {
    await visit(page)
    const email = `friend.${randomUUID()}@elsewhere.example`
    await fill(page, '25', email)
    await send(page)
    await page.getByRole('button', { name: 'View' }).click()
    await expect(page).toHaveURL(/\/transaction-detail\?id=/)
    await expect(page.getByRole('link', { name: 'Send Again' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel Payment' }).click()
    await expect(toast(page, '$25.00 is back in your account')).toBeVisible()
    await expect(page.getByText('Returned').first()).toBeVisible()
    await expect(page.getByText('Waiting to be accepted')).toHaveCount(0)
    expect(await available(page)).toBe(1_245_850)
    await page.getByRole('link', { name: 'Send Again' }).click()
    await expect(page.getByLabel('Recipient')).toHaveValue(email)
  })
})

test('is sent again to the same person, from the payment before', async ({ page }) => {
  await visit(page)
  await page.goto('/transactions?q=Concert')
  await page.getByRole('link', { name: /Mike Chen/ }).click()
  await page.getByRole('link', { name: 'Send Again' }).click()
  await expect(page).toHaveURL('/transfer')
  await expect(page.getByLabel('Recipient')).toHaveValue('mike.chen@example.com')
  await expect(page.getByLabel('Recipient')).toHaveAccessibleDescription('Mike Chen')
  await page.getByRole('button', { name: 'Choose Someone Else' }).click()
  await expect(page.getByLabel('Recipient')).toHaveValue('')
  await expect(page.getByLabel('Recipient')).toBeFocused()
  await page.goto('/transactions')
  await page
    .getByRole('link', { name: /Copper Kettle Coffee/ })
    .first()
    .click()
  await expect(page.getByText('Smart Tip')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Send Again' })).toHaveCount(0)
})

test.describe('refuses, and nothing is changed', () => {
  const CASES = [
    ['nothing', '', '', 'Please fill in all fields'],
    ['no recipient', '5', '   ', 'Please fill in all fields'],
    ['no amount', '', 'sarah.johnson@example.com', 'Please fill in all fields'],
    ['zero', '0', 'sarah.johnson@example.com', 'Please enter a valid amount'],
    ['below zero', '-1', 'sarah.johnson@example.com', 'Please enter a valid amount'],
    ['an exponent', '1e3', 'sarah.johnson@example.com', 'Please enter a valid amount'],
    ['parts of a cent', '0.001', 'sarah.johnson@example.com', 'Please enter a valid amount'],
    ['no number', 'NaN', 'sarah.johnson@example.com', 'Please enter a valid amount'],
    ['thousands after a zero', '0,500', 'sarah.johnson@example.com', 'Please enter a valid amount'],
    [
      'more than can be counted',
      '90071992547409.92',
      'sarah.johnson@example.com',
      'This is more than we can move in one go',
    ],
    ['more than there is', '12458.51', 'sarah.johnson@example.com', "You don't have enough money for this"],
    ['no address', '5', 'somebody', 'Please enter a valid email or phone number'],
  ] as const

  test('each bad form with its own words', async ({ page }) => {
    await visit(page)
    await page.clock.install()
    await page.goto('/transfer')
    for (const [what, amount, recipient, message] of CASES) {
      await test.step(what, async () => {
        await page.getByLabel('Amount', { exact: true }).fill(amount)
        await page.getByLabel('Recipient').fill(recipient)
        await send(page)
        await expect(toast(page, message)).toBeVisible()
        await expect(page).toHaveURL('/transfer')
        // So that what is seen next is said by the next one. A toast stays for as long as it is pointed at.
        await page.mouse.move(0, 0)
        await page.clock.fastForward(10_000)
        await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
      })
    }
    expect(await available(page)).toBe(1_245_850)
  })

  test('a payment to oneself', async ({ page }) => {
    const { email } = await visit(page)
    await fill(page, '5', email)
    await send(page)
    await expect(toast(page, "You can't send money to yourself")).toBeVisible()
    await expect(page.getByLabel('Recipient')).toHaveAccessibleDescription("You can't send money to yourself")
    expect(await available(page)).toBe(1_245_850)
  })
})

test('a refused payment can be put right and sent', async ({ page }) => {
  await visit(page)
  await page.clock.install()
  await fill(page, '20000', 'mike.chen@example.com')
  await send(page)
  await expect(toast(page, "You don't have enough money for this")).toBeVisible()
  // What there is stays in sight, and is offered.
  const amount = page.getByLabel('Amount')
  await expect(amount).toHaveAccessibleDescription("You don't have enough money for this $12,458.50 available")
  await page.getByRole('button', { name: 'Send all $12,458.50' }).click()
  // While it can be changed it has no marks that nobody typed.
  await expect(amount).toHaveValue('12458.50')
  await expect(amount).toHaveAccessibleDescription('$12,458.50 available')
  await amount.fill('20')
  // Sent while the toast before is on its way out, which takes a moment: that takes nothing along.
  await page.clock.fastForward(4_000)
  await page.evaluate(() => document.querySelector<HTMLElement>('main [type=submit]')?.click())
  await expect(toast(page, '$20.00 sent successfully to mike.chen@example.com')).toBeVisible()
  await page.clock.runFor(500)
  await expect(toast(page, '$20.00 sent successfully to mike.chen@example.com')).toBeVisible()
  expect(await available(page)).toBe(1_243_850)
})

test('is done once where the answer is lost on the way, however often it is tried', async ({ page }) => {
  await visit(page)
  await fill(page, '30', 'emma.wilson@example.com')
  const keys: string[] = []
  await page.route('**/api/v1/transfers', async (route) => {
    keys.push((await route.request().headerValue('idempotency-key')) ?? '')
    // The bank does it; the browser never hears of it.
    if (keys.length === 1) {
      await route.fetch()
      await route.abort('connectionreset')
    } else await route.continue()
  })
  await send(page)
  await expect(toast(page, '$30.00 sent successfully to emma.wilson@example.com')).toBeVisible()
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBe(keys[1])
  expect(await available(page)).toBe(1_242_850)
})

test('a refusal goes with the first thing that is corrected', async ({ page }) => {
  await visit(page)
  await page.goto('/transfer')
  await send(page)
  const refusal = toast(page, 'Please fill in all fields')
  await expect(refusal).toHaveAttribute('data-mounted', 'true')
  // It would be gone by itself after four seconds.
  await page.getByLabel('Amount').fill('5')
  await expect(refusal).toHaveCount(0, { timeout: 1_500 })
  // What another refusal says after that is seen.
  await send(page)
  await expect(refusal).toBeVisible()
})

test('in Arabic, an email keeps its distance from the edges of its field', async ({ page }) => {
  await visit(page)
  await speak(page, 'ar')
  await page.goto('/transfer')
  const recipient = page.locator('input[name=recipient]')
  await recipient.fill('someone.with.a.long.name@mail.example.com')
  await page.locator('input[name=amount]').focus()
  await expect(page.locator('form [class*=bg-muted]').filter({ has: recipient })).toBeVisible()
  for (const side of ['padding-left', 'padding-right']) await expect(recipient).toHaveCSS(side, '10px')
})
