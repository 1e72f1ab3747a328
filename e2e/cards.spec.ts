import { expect, type Page, test } from '@playwright/test'
import type { CardDetails, CardList } from '#contract/cards.ts'
import { lineNamed } from '#contract/wording.ts'
import { arrive, ask, available, newest, toast, visit } from './bank.ts'

const cardCalled = (page: Page, name: string) => page.getByRole('article', { name })
const button = (page: Page, card: string, name: string) =>
  cardCalled(page, card).getByRole('button', { name, exact: true })
const cardsOf = (page: Page) => ask<CardList>(page, '/cards')
const dialog = (page: Page) => page.getByRole('dialog')

test('lists the two cards with their buttons and the benefits; freezing is told to every open screen', async ({
  page,
  context,
}) => {
  const { fullName } = await arrive(page)
  await page.getByRole('link', { name: 'Cards', exact: true }).first().click()
  await expect(page).toHaveURL('/cards')
  const [main, virtual] = (await cardsOf(page)).cards
  for (const [name, card, balance, kind] of [
    ['Main Card', main, '$12,458.50', 'Debit'],
    ['Virtual Card', virtual, '$500.00', 'Virtual'],
  ] as const) {
    const shown = cardCalled(page, name)
    await expect(shown).toContainText(balance)
    await expect(shown).toContainText(kind)
    await expect(shown).toContainText(`•••• •••• •••• ${card?.lastFour}`)
    await expect(shown).toContainText(fullName)
    await expect(shown).toContainText('12/28')
    await expect(button(page, name, 'Details')).toBeVisible()
    await expect(button(page, name, 'Freeze')).toBeVisible()
  }
  await expect(button(page, 'Main Card', 'Remove')).toBeVisible()
  await expect(button(page, 'Virtual Card', 'Delete')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create Virtual Card' })).toBeVisible()
  await expect(page.getByText('1% cashback')).toBeVisible()
  await expect(page.getByText('$12.90 earned this month')).toBeVisible()
  await expect(page.getByText('No foreign transaction fees')).toBeVisible()

  const other = await context.newPage()
  await other.goto('/cards')
  await expect(cardCalled(other, 'Main Card')).toContainText('Debit')
  await button(page, 'Main Card', 'Freeze').click()
  await expect(toast(page, 'Main Card frozen')).toBeVisible()
  await expect(cardCalled(page, 'Main Card')).toContainText('Frozen')
  await expect.poll(async () => (await cardsOf(page)).cards[0]?.status).toBe('frozen')
  await other.bringToFront()
  await expect(cardCalled(other, 'Main Card')).toContainText('Frozen')
  await button(other, 'Main Card', 'Unfreeze').click()
  await expect.poll(async () => (await cardsOf(page)).cards[0]?.status).toBe('active')
  await page.bringToFront()
  await expect(cardCalled(page, 'Main Card')).toContainText('Debit')
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('shows a number, expiry and CVV for a minute and keeps them nowhere; limits and switches hold', async ({
  page,
}) => {
  await page.clock.install()
  await visit(page)
  await page.goto('/cards')
  const answer = page.waitForResponse((response) => response.url().endsWith('/details'))
  await button(page, 'Main Card', 'Details').click()
  const { number, cvv } = (await (await answer).json()) as CardDetails
  const grouped = number.replaceAll(/(.{4})(?=.)/g, '$1 ')
  await expect(dialog(page).getByText(grouped)).toHaveCount(2)
  await expect(dialog(page).getByText(cvv, { exact: true })).toHaveCount(2)
  await expect(dialog(page)).toContainText('Hidden again in')
  await page.clock.runFor(30_000)
  await expect(dialog(page).getByText(grouped)).toHaveCount(2)
  await page.clock.runFor(31_000)
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByText(grouped)).toHaveCount(0)
  const kept = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie]),
  )
  expect(kept).not.toContain(number)
  const { events } = await ask<{ events: { kind: string }[] }>(page, '/security-events')
  expect(events[0]?.kind).toBe('card_details_shown')

  await button(page, 'Main Card', 'Limits and Controls $1,290.00 spent this month').click()
  await expect(dialog(page)).toContainText('$1,290.00 of $20,000.00 used this month')
  await dialog(page).getByLabel('Limit per Payment').fill('5000.01')
  await dialog(page).getByRole('button', { name: 'Save Limits' }).click()
  await expect(toast(page, 'This is more than a card can spend')).toBeVisible()
  await dialog(page).getByLabel('Limit per Payment').fill('0')
  await dialog(page).getByRole('button', { name: 'Save Limits' }).click()
  await expect(toast(page, 'Please enter a valid amount')).toBeVisible()
  await dialog(page).getByLabel('Limit per Payment').fill('250')
  await dialog(page).getByLabel('Limit per Month').fill('2000')
  await dialog(page).getByRole('button', { name: 'Save Limits' }).click()
  await expect(toast(page, 'Limits saved')).toBeVisible()
  await dialog(page).getByRole('switch', { name: 'Payments Abroad' }).click()
  await expect
    .poll(async () => (await cardsOf(page)).cards[0])
    .toMatchObject({ paymentLimitMinor: 250_00, monthLimitMinor: 2_000_00, abroad: false, online: true })
})

test('creates a virtual card, moves money to it and back, and returns what is on it when it is deleted', async ({
  page,
}) => {
  await visit(page)
  await page.goto('/cards')
  await expect(cardCalled(page, 'Main Card')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Past Cards' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Create Virtual Card' }).click()
  await dialog(page).getByRole('button', { name: 'Create Card' }).click()
  await expect(toast(page, 'Please fill in all fields')).toBeVisible()
  await dialog(page).getByLabel('Name').fill('Streaming')
  await dialog(page).getByLabel('Monthly Limit').fill('80')
  await dialog(page).getByLabel('Money to Put on It').fill('60')
  await dialog(page).getByRole('button', { name: 'Create Card' }).click()
  await expect(toast(page, 'Streaming is ready to use')).toBeVisible()
  await expect(cardCalled(page, 'Streaming')).toContainText('$60.00')
  expect(await available(page)).toBe(1_239_850)
  expect((await newest(page, 1))[0]).toMatchObject({
    name: lineNamed('Streaming'),
    amountMinor: -60_00,
    category: 'card',
  })

  await cardCalled(page, 'Streaming').getByRole('button', { name: 'Add or Withdraw Money' }).click()
  await dialog(page).getByRole('radio', { name: 'Withdraw' }).click()
  await dialog(page).getByLabel('Amount').fill('60.01')
  await expect(dialog(page)).toContainText("You don't have enough money for this")
  await dialog(page).getByLabel('Amount').fill('10')
  await dialog(page).getByRole('button', { name: 'Withdraw Money' }).click()
  await expect(toast(page, '$10.00 back in your account')).toBeVisible()
  await expect(cardCalled(page, 'Streaming')).toContainText('$50.00')

  await cardCalled(page, 'Streaming').getByRole('button', { name: 'Activity' }).click()
  await expect(dialog(page).getByRole('link')).toHaveText([/−\$10\.00/, /\+\$60\.00/])
  await page.keyboard.press('Escape')

  await button(page, 'Streaming', 'Delete').click()
  await expect(dialog(page)).toContainText('$50.00 goes back to your account.')
  await dialog(page).getByRole('button', { name: 'Keep Card' }).click()
  await button(page, 'Virtual Card', 'Delete').click()
  await dialog(page).getByRole('button', { name: 'Delete Card' }).click()
  await expect(toast(page, '$500.00 is back in your account')).toBeVisible()
  await expect(cardCalled(page, 'Virtual Card')).toHaveCount(0)
  expect(await available(page)).toBe(1_290_850)

  // Past the toast, which stands above it.
  await page.getByRole('button', { name: 'Past Cards' }).press('Enter')
  const ended = dialog(page).getByRole('listitem')
  await expect(ended).toHaveText([/^Virtual Card•••• \d{4} · Ended Aug 28, 2026$/])
  await ended.getByRole('button').click()
  await expect(page.getByRole('dialog', { name: 'Virtual Card' }).getByRole('link')).toHaveText([
    /−\$500\.00/,
    /\+\$500\.00/,
  ])
  await dialog(page).getByRole('button', { name: 'All Past Cards' }).click()
  await expect(ended).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Past Cards' })).toBeFocused()

  const [before] = (await cardsOf(page)).cards
  await button(page, 'Main Card', 'Remove').click()
  await dialog(page).getByRole('button', { name: 'Remove Card' }).click()
  await expect(page.getByText("You don't have a main card")).toBeVisible()
  await page.getByRole('button', { name: 'Get a Main Card' }).click()
  await expect(cardCalled(page, 'Main Card')).toContainText('$12,908.50')
  const { cards } = await cardsOf(page)
  expect(cards.map(({ name }) => name)).toEqual(['Main Card', 'Streaming'])
  expect(cards[0]?.id).not.toBe(before?.id)
})
