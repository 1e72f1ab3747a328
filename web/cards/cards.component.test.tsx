import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Transaction } from '#contract/accounts.ts'
import type { Card, CardList, PastCard } from '#contract/cards.ts'
import { router } from '#web/app/routes.tsx'
import { expectNoAxeViolations } from '#web/test/accessible.ts'
import { readAddress, open, pressByKey, findToast, runFakeTime } from '#web/test/app.tsx'
import { bank, changeRequests, emitLiveEvent } from '#web/test/bank.ts'

const cardCalled = (name: string) => page.getByRole('article', { name })
const button = (card: string, name: string) => cardCalled(card).getByRole('button', { name })
const sheet = page.getByRole('dialog')
const inSheet = (name: string) => sheet.getByRole('button', { name })

/** Mocks the bank's list of cards with these changes. */
async function mockCards(changes: Partial<CardList>): Promise<void> {
  bank.get('/cards', { ...(await bank.recorded('/cards')), ...changes })
}

async function sampleCards(): Promise<[Card, Card]> {
  const [main, virtual] = (await bank.recorded('/cards')).cards
  if (!main || !virtual) throw new Error('There are no two cards')
  return [main, virtual]
}

/** Returns a transaction that moved money to or from a card. */
async function buildMovement(amountMinor: number): Promise<Transaction> {
  const [latest] = (await bank.recorded('/transactions')).transactions
  if (!latest) throw new Error('There is no transaction')
  return { ...latest, id: crypto.randomUUID(), amountMinor, category: 'card' }
}

test('lists the two cards with their buttons and the benefits', async () => {
  const { customer } = await bank.recorded('/me')
  const [main, virtual] = await sampleCards()
  await open('/cards')
  for (const [name, card, balance, kind] of [
    ['Main Card', main, '$12,458.50', 'Debit'],
    ['Virtual Card', virtual, '$500.00', 'Virtual'],
  ] as const) {
    for (const text of [balance, kind, `•••• •••• •••• ${card.lastFour}`, customer.fullName, '12/28'])
      await expect.element(cardCalled(name)).toMatchTextContent(text)
    await expect.element(button(name, 'Details')).toBeVisible()
    await expect.element(button(name, 'Freeze')).toBeVisible()
  }
  await expect.element(button('Main Card', 'Remove')).toBeVisible()
  await expect.element(button('Virtual Card', 'Delete')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Create Virtual Card' })).toBeVisible()
  await expect.element(page.getByText('1% cashback')).toBeVisible()
  await expect.element(page.getByText(/\$12\.90 earned this month/)).toBeVisible()
  await expect.element(page.getByText('No foreign transaction fees')).toBeVisible()
  expect(page.getByRole('button', { name: /^Past Cards/ }).query()).toBeNull()
  await page.getByRole('link', { name: 'Back' }).click()
  await expect.poll(readAddress).toBe('/dashboard')
})

test('a card is frozen here, and unfrozen on another device', async () => {
  const [main, virtual] = await sampleCards()
  bank.post('/cards/:id/freeze', async () => {
    await mockCards({ cards: [{ ...main, status: 'frozen' }, virtual] })
    return {}
  })
  await open('/cards')
  await button('Main Card', 'Freeze').click()
  await expect.element(findToast('Main Card frozen')).toBeVisible()
  await expect.element(cardCalled('Main Card')).toMatchTextContent('Frozen')
  expect(changeRequests()).toMatchObject([{ path: `/cards/${main.id}/freeze` }])
  await mockCards({})
  emitLiveEvent({ type: 'card' })
  await expect.element(cardCalled('Main Card')).toMatchTextContent('Debit')
  await expect.element(button('Main Card', 'Freeze')).toBeVisible()
})

test('number, expiry and CVV are shown for a minute and not stored', async () => {
  runFakeTime()
  const [number, groupedNumber, cvv] = ['4000123412341234', '4000 1234 1234 1234', '731']
  bank.post('/cards/:id/details', { number, cvv, expiresOn: '2028-12-31' })
  await open('/cards')
  await button('Main Card', 'Details').click()
  await expect.poll(() => sheet.getByText(groupedNumber).elements()).toHaveLength(2)
  expect(sheet.getByText(cvv).elements()).toHaveLength(2)
  await expect.element(sheet.getByText(/^Hides again in/)).toBeVisible()
  await vi.advanceTimersByTimeAsync(50_000)
  expect(sheet.getByText(groupedNumber).elements()).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(11_000)
  await expect.element(sheet).not.toBeInTheDocument()
  expect(page.getByText(groupedNumber).elements()).toHaveLength(0)
  const storedText = JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie])
  expect(storedText).not.toContain(number)
})

test('limits and switches of a card are changed one by one', async () => {
  const [main] = await sampleCards()
  bank.patch('/cards/:id', {})
  await open('/cards')
  await cardCalled('Main Card')
    .getByRole('button', { name: /^Limits and Controls.*\$1,290\.00 spent this month/ })
    .click()
  await expect.element(sheet).toMatchTextContent('$1,290.00 of $20,000.00 used this month')
  const payment = sheet.getByLabelText('Limit per Payment')
  await payment.fill('5000.01')
  await inSheet('Save Limits').click()
  await expect.element(findToast('This is above the highest limit for a card')).toBeVisible()
  await expect.element(sheet.getByText('The highest limit you can set is $5,000.00')).toBeVisible()
  await payment.fill('0')
  await pressByKey(inSheet('Save Limits'))
  await expect.element(findToast('Please enter a valid amount')).toBeVisible()
  expect(changeRequests()).toEqual([])
  await payment.fill('250')
  await sheet.getByLabelText('Limit per Month').fill('2000')
  await pressByKey(inSheet('Save Limits'))
  await expect.element(findToast('Limits saved')).toBeVisible()
  await sheet.getByRole('switch', { name: 'Payments Abroad' }).click()
  await expect.poll(() => changeRequests()).toHaveLength(2)
  expect(changeRequests()).toMatchObject([
    { path: `/cards/${main.id}`, json: { paymentLimitMinor: 250_00, monthLimitMinor: 2_000_00 } },
    { path: `/cards/${main.id}`, json: { abroad: false } },
  ])
})

test('an address opens the limits of a card, and shows the remedy at the highest limits', async () => {
  const [main] = await sampleCards()
  await open(`/cards?controls=${main.id}`)
  await expect.element(sheet.getByLabelText('Limit per Payment')).toHaveValue('5,000.00')
  await expect.element(sheet).toMatchTextContent('This is the highest limit you can set.')
  await sheet.getByRole('link', { name: 'send money from your account' }).click()
  await expect.poll(readAddress).toBe('/transfer')
})

test('below the highest, the limits that an address opens show their maximum', async () => {
  const [main, virtual] = await sampleCards()
  await mockCards({ cards: [{ ...main, paymentLimitMinor: 250_00, monthLimitMinor: 500_00 }, virtual] })
  await open(`/cards?controls=${main.id}`)
  await expect.element(sheet).toMatchTextContent('Up to $5,000.00')
  expect(sheet.getByRole('link').query()).toBeNull()
  await userEvent.keyboard('{Escape}')
  await expect.poll(readAddress).toBe('/cards')
  await router.navigate('/cards?controls=no-card')
  await expect.element(cardCalled('Main Card')).toBeVisible()
  expect(sheet.query()).toBeNull()
})

test('a virtual card is created with a name and a limit, and returns its money', async () => {
  const [main, virtual] = await sampleCards()
  const streamingCard = { ...virtual, id: 'streaming', name: 'Streaming', balanceMinor: 60_00, availableMinor: 60_00 }
  bank.post('/cards', async () => {
    await mockCards({ cards: [main, virtual, streamingCard] })
    return { id: streamingCard.id }
  })
  bank.post('/cards/:id/moves', async ({ json }) => {
    await mockCards({ cards: [main, virtual, { ...streamingCard, balanceMinor: 50_00, availableMinor: 50_00 }] })
    return { transaction: await buildMovement(json.amountMinor) }
  })
  bank.get('/cards/:id/transactions', {
    transactions: [await buildMovement(-10_00), await buildMovement(60_00)],
    nextCursor: null,
  })
  await open('/cards')
  await page.getByRole('button', { name: 'Create Virtual Card' }).click()
  await inSheet('Create Card').click()
  await expect.element(findToast('Please fill in all fields')).toBeVisible()
  await sheet.getByLabelText('Name').fill('Streaming')
  await sheet.getByRole('radiogroup', { name: 'Color' }).getByRole('radio', { name: 'Blue' }).click()
  await sheet.getByRole('radiogroup', { name: 'Design' }).getByRole('radio', { name: 'River' }).click()
  await expectNoAxeViolations('a new card')
  await sheet.getByLabelText('Monthly Limit').fill('80')
  await sheet.getByLabelText(/^Starting Balance/).fill('60')
  await pressByKey(inSheet('Create Card'))
  await expect.element(findToast('Streaming is ready to use')).toBeVisible()
  await expect.element(cardCalled('Streaming')).toMatchTextContent('$60.00')

  await pressByKey(cardCalled('Streaming').getByRole('button', { name: /^Add or Withdraw Money/ }))
  await sheet.getByRole('radio', { name: 'Withdraw' }).click()
  await sheet.getByLabelText('Amount').fill('60.01')
  await expect.element(sheet.getByText("You don't have enough money for this")).toBeVisible()
  await sheet.getByLabelText('Amount').fill('10')
  await inSheet('Withdraw Money').click()
  await expect.element(findToast('$10.00 back in your account')).toBeVisible()
  await expect.element(cardCalled('Streaming')).toMatchTextContent('$50.00')
  expect(changeRequests()).toMatchObject([
    {
      path: '/cards',
      json: { name: 'Streaming', limitMinor: 80_00, loadMinor: 60_00, look: { colour: 'sky', design: 'river' } },
    },
    { path: '/cards/streaming/moves', json: { direction: 'from_card', amountMinor: 10_00, asset: 'USD' } },
  ])
  await pressByKey(cardCalled('Streaming').getByRole('button', { name: /^Activity/ }))
  await expect.poll(() => sheet.getByRole('link').elements()).toHaveLength(2)
  for (const [index, amount] of ['−$10.00', '+$60.00'].entries())
    await expect.element(sheet.getByRole('link').nth(index)).toMatchTextContent(amount)
  await userEvent.keyboard('{Escape}')
  await expect.element(sheet).not.toBeInTheDocument()
})

test('a virtual card gets another name and design, and its picture shows them', async () => {
  const [main, virtual] = await sampleCards()
  bank.patch('/cards/:id', async ({ json: { name = '', look = null } }) => {
    await mockCards({ cards: [main, { ...virtual, name, look }] })
  })
  await open('/cards')
  const drawing = (name: string) => cardCalled(name).element().querySelector('.card-art')
  await expect.element(cardCalled('Virtual Card')).toBeVisible()
  expect(drawing('Virtual Card')?.className).toContain('card-plum')
  expect(button('Main Card', 'Name and Design').query()).toBeNull()
  await pressByKey(cardCalled('Virtual Card').getByRole('button', { name: /^Name and Design/ }))
  await sheet.getByLabelText('Name').fill('')
  await inSheet('Save Card').click()
  await expect.element(findToast('Please fill in all fields')).toBeVisible()
  await sheet.getByLabelText('Name').fill('Groceries')
  await sheet.getByRole('radio', { name: 'Moss' }).click()
  await sheet.getByRole('radio', { name: 'Leaves' }).click()
  const preview = sheet.element().querySelector('.card-art')
  expect(preview?.className).toContain('card-moss')
  expect(preview?.querySelector('.card-leaves')).not.toBeNull()
  expect(preview?.textContent).toContain('Groceries')
  await pressByKey(inSheet('Save Card'))
  await expect.element(findToast('Card saved')).toBeVisible()
  await expect.element(cardCalled('Groceries')).toBeVisible()
  expect(drawing('Groceries')?.className).toContain('card-moss')
  expect(changeRequests()).toMatchObject([
    { path: `/cards/${virtual.id}`, json: { name: 'Groceries', look: { colour: 'moss', design: 'leaves' } } },
  ])
})

test('a virtual card is deleted after a confirmation, and its payments stay visible', async () => {
  const [main, virtual] = await sampleCards()
  const past: PastCard = { id: virtual.id, name: virtual.name, lastFour: '1234', endedAt: '2026-08-28T09:41:00.000Z' }
  bank.get('/cards/past', { cards: [past], nextCursor: null })
  bank.get('/cards/:id/transactions', {
    transactions: [await buildMovement(-500_00), await buildMovement(500_00)],
    nextCursor: null,
  })
  bank.post('/cards/:id/removal', async () => {
    await mockCards({ cards: [main], hasPast: true })
    return { returnedMinor: 500_00, asset: 'USD' as const }
  })
  await open('/cards')
  await button('Virtual Card', 'Delete').click()
  await expect.element(sheet).toMatchTextContent('$500.00 goes back to your account.')
  await inSheet('Keep Card').click()
  await expect.element(sheet).not.toBeInTheDocument()
  expect(changeRequests()).toEqual([])
  await pressByKey(button('Virtual Card', 'Delete'))
  await inSheet('Delete Card').click()
  await expect.element(findToast('$500.00 is back in your account')).toBeVisible()
  await expect.element(cardCalled('Virtual Card')).not.toBeInTheDocument()

  const pastCards = page.getByRole('button', { name: /^Past Cards/ })
  await pressByKey(pastCards)
  const endedCard = sheet.getByRole('listitem')
  await expect.element(endedCard).toMatchTextContent('Virtual Card•••• 1234 · Ended Aug 28, 2026')
  await endedCard.getByRole('button').click()
  await expect.element(page.getByRole('dialog', { name: 'Virtual Card' })).toBeVisible()
  await expect.poll(() => sheet.getByRole('link').elements()).toHaveLength(2)
  await inSheet('All Past Cards').click()
  await expect.element(endedCard).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(pastCards).toHaveFocus()
})

test('the main card is removed, and another can be ordered', async () => {
  const [main, virtual] = await sampleCards()
  bank.post('/cards/:id/removal', async () => {
    await mockCards({ cards: [virtual] })
    return { returnedMinor: 0, asset: 'USD' as const }
  })
  bank.post('/cards/main', async () => {
    await mockCards({ cards: [{ ...main, id: 'new' }, virtual] })
    return { id: 'new' }
  })
  await open('/cards')
  await button('Main Card', 'Remove').click()
  await inSheet('Remove Card').click()
  await expect.element(page.getByText("You don't have a main card")).toBeVisible()
  await pressByKey(page.getByRole('button', { name: 'Get a Main Card' }))
  await expect.element(cardCalled('Main Card')).toMatchTextContent('$12,458.50')
  expect(changeRequests().map(({ path }) => path)).toEqual([`/cards/${main.id}/removal`, '/cards/main'])
})
