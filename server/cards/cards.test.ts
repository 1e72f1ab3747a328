import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cardsOf } from '#server/cards/card.ts'
import { chargeCard, issueCards } from '#server/cards/service.ts'
import { receiveIncoming } from '#server/payments/incoming.ts'
import { books, type Person, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { lineNamed } from '#contract/wording.ts'

let server: PeopleServer
let max: Person
let cardId: string

beforeAll(async () => {
  server = await peopleServer()
  max = await server.person({ fullName: 'Max Moss', email: 'max@example.com' })
  const accountId = max.customer.currentAccountId
  const card = { customerId: max.customer.id, accountId, type: 'debit' } as const
  const [main] = await issueCards(server.deps, [
    { ...card, name: 'Main Card', lastFour: '4821', expiresOn: '2028-12-31', kind: 'main' },
    { ...card, name: 'Second Card', lastFour: '1111', expiresOn: '2027-02-28', kind: 'multi_use' },
  ])
  cardId = main?.id ?? ''
  await receiveIncoming(server.deps, { customer: max.customer, payerName: 'Northwind Payroll', amountMinor: 50_00 })
})
afterAll(async () => {
  await books(server)
  await server.close()
})

const coffee = { merchant: 'Corner Café', category: 'food', amountMinor: 4_50 } as const

test('cards are listed with the main one first, and keep their day', async () => {
  const cards = await cardsOf(server.deps, max.customer.id)
  expect(cards.map(({ lastFour, expiresOn }) => [lastFour, expiresOn])).toEqual([
    ['4821', '2028-12-31'],
    ['1111', '2027-02-28'],
  ])
})

test('a charge leaves the card’s account and reads as the shop', async () => {
  await chargeCard(server.deps, { cardId, ...coffee })
  const [line] = await max.transactions()
  expect(line).toMatchObject({
    name: lineNamed('Corner Café'),
    amountMinor: -4_50,
    category: 'food',
    balanceAfterMinor: 45_50,
  })
  expect(line?.paymentMethod).toEqual({ code: 'debit_card', params: { lastFour: '4821' } })
})

test('a charge says what the shop is where its category leaves that open, and is found by the card all the same', async () => {
  await chargeCard(server.deps, { cardId, ...coffee, merchant: 'Bean There', merchantKind: 'coffee' })
  const [line] = await max.transactions('?q=Bean')
  const params = { lastFour: '4821', merchantKind: 'coffee' }
  expect(line?.paymentMethod).toEqual({ code: 'debit_card', params })
  for (const q of ['4821', 'Debit card •••• 4821', 'debit card •••• 48'])
    expect((await max.transactions(`?q=${encodeURIComponent(q)}`))[0]?.id).toBe(line?.id)
})

test('a charge told twice is booked once', async () => {
  const id = randomUUID()
  const before = await max.balanceMinor()
  await Promise.all([
    chargeCard(server.deps, { cardId, ...coffee, id }),
    chargeCard(server.deps, { cardId, ...coffee, id }),
  ])
  expect(await max.balanceMinor()).toBe(before - 4_50)
})

const refused = (charge: Promise<unknown>) =>
  charge.then(
    () => null,
    (error: { code: string }) => error.code,
  )

test('a charge past what there is, or on no card, is refused and writes nothing', async () => {
  const before = await books(server)
  expect(await refused(chargeCard(server.deps, { cardId, ...coffee, amountMinor: 1_000_00 }))).toBe(
    'insufficient_funds',
  )
  expect(await refused(chargeCard(server.deps, { cardId, ...coffee, amountMinor: 0 }))).toBe('amount_invalid')
  expect(await refused(chargeCard(server.deps, { cardId: randomUUID(), ...coffee }))).toBe('not_found')
  expect(await books(server)).toEqual(before)
})
