import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cardsOf, findCard } from '#server/cards/card.ts'
import { cvvOf, isLuhnValid, newNumber, readCardNumber } from '#server/cards/numbers.ts'
import { issueCard } from '#server/cards/service.ts'
import { findCardByNumber, markCardsUsed, lockCard, readMonthUsage, addUsesToMonths } from '#server/cards/card-usage.ts'
import { inTransaction, runAll } from '#server/platform/db/run.ts'
import { type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'

let server: PeopleServer
let ann: TestPerson

beforeAll(async () => {
  server = await peopleServer()
  ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
})
afterAll(() => server.close())

const newCard = () => ({
  customerId: ann.customer.id,
  accountId: ann.customer.currentAccountId,
  type: 'debit' as const,
  kind: 'multi_use' as const,
  name: 'Shopping',
  expiresOn: '2028-12-31',
})

test('the check digit follows Luhn’s formula', () => {
  expect(isLuhnValid('4111111111111111')).toBe(true)
  expect(isLuhnValid('4111111111111112')).toBe(false)
  expect(isLuhnValid('4111111111111')).toBe(false)
})

test('numbers are valid, are in the bank’s range, and have the requested ending', () => {
  for (let time = 0; time < 500; time += 1) {
    const number = newNumber()
    expect(number).toMatch(/^9999\d{12}$/)
    expect(isLuhnValid(number)).toBe(true)
  }
  expect(newNumber('0007')).toMatch(/^9999\d{8}0007$/)
})

test('a card is found by its number, which the database does not store in readable form', async () => {
  const issuedCard = await issueCard(server.deps, newCard())
  const number = await readCardNumber(server.deps, issuedCard)
  expect(number.slice(-4)).toBe(issuedCard.lastFour)
  expect(await findCardByNumber(server.deps, number)).toMatchObject({ id: issuedCard.id, status: 'active' })
  expect(await findCardByNumber(server.deps, newNumber())).toBeNull()
  const row = await server.deps.db
    .selectFrom('bank.card')
    .selectAll()
    .where('id', '=', issuedCard.id)
    .executeTakeFirstOrThrow()
  const cvv = cvvOf(server.deps, { ...issuedCard, number })
  for (const value of Object.values(row)) {
    const text = Buffer.isBuffer(value) ? value.toString('latin1') : String(value)
    expect(text).not.toContain(number)
    expect(text).not.toBe(cvv)
  }
})

test('a number sealed for one card cannot be opened for another', async () => {
  const [card, otherCard] = [await issueCard(server.deps, newCard()), await issueCard(server.deps, newCard())]
  const { number_sealed: sealed } = await server.deps.db
    .selectFrom('bank.card')
    .select('number_sealed')
    .where('id', '=', card.id)
    .executeTakeFirstOrThrow()
  await server.deps.db.updateTable('bank.card').set({ number_sealed: sealed }).where('id', '=', otherCard.id).execute()
  await expect(readCardNumber(server.deps, otherCard)).rejects.toThrow('authenticate')
})

test('the CVV is derived from number, expiry and the bank’s secret', async () => {
  const card = { number: newNumber(), expiresOn: '2028-12-31' }
  const cvv = cvvOf(server.deps, card)
  expect(cvv).toMatch(/^\d{3}$/)
  expect(cvvOf(server.deps, card)).toBe(cvv)
  const cvvsByYear = Array.from({ length: 20 }, (_, year) =>
    cvvOf(server.deps, { ...card, expiresOn: `20${30 + year}-12-31` }),
  )
  expect(new Set(cvvsByYear).size).toBeGreaterThan(10)
  const elsewhere = { config: { ...server.deps.config, secret: randomUUID() } }
  const cvvPairs = Array.from({ length: 5 }, () => newNumber()).map((number) => [
    cvvOf(server.deps, { ...card, number }),
    cvvOf(elsewhere, { ...card, number }),
  ])
  expect(cvvPairs.some(([here, away]) => here !== away)).toBe(true)
})

test('a card of an older version gets one number at the first request, also with simultaneous requests', async () => {
  const card = await issueCard(server.deps, { ...newCard(), lastFour: '4821' })
  await server.deps.db
    .updateTable('bank.card')
    .set({ number_sealed: null, number_digest: null })
    .where('id', '=', card.id)
    .execute()
  const numbers = await Promise.all(Array.from({ length: 8 }, () => readCardNumber(server.deps, card)))
  expect(new Set(numbers).size).toBe(1)
  expect(numbers[0]).toMatch(/4821$/)
  expect(await findCardByNumber(server.deps, numbers[0] ?? '')).toMatchObject({ id: card.id })
})

test('a card’s month counts simultaneous spending and refunds, and starts at zero', async () => {
  const { id: cardId } = await issueCard(server.deps, newCard())
  const moment = new Date(Date.UTC(2026, 7, 31, 23, 59))
  const count = (amountMinor: number) =>
    inTransaction(server.deps.db, (trx) => runAll(trx, addUsesToMonths([{ cardId, amountMinor, at: moment }])))
  await Promise.all(Array.from({ length: 10 }, () => count(5_00)))
  await count(-20_00)
  expect(await readMonthUsage(server.deps, cardId, new Date(Date.UTC(2026, 7, 1)))).toBe(30_00)
  expect(await readMonthUsage(server.deps, cardId, new Date(Date.UTC(2026, 8, 1)))).toBe(0)
  await count(-100_00)
  expect(await readMonthUsage(server.deps, cardId, moment)).toBe(0)
})

test('a locked card is used by one transaction at a time', async () => {
  const { id } = await issueCard(server.deps, { ...newCard(), kind: 'single_use' })
  const use = () =>
    inTransaction(server.deps.db, async (trx) => {
      const card = await lockCard(trx, id)
      if (!card || card.usedAt) return false
      await runAll(trx, markCardsUsed([id], server.deps.clock.businessNow()))
      return true
    })
  const used = await Promise.all(Array.from({ length: 6 }, use))
  expect(used.filter(Boolean)).toHaveLength(1)
  expect((await findCard(server.deps, ann.customer.id, id))?.usedAt).toBeInstanceOf(Date)
  expect((await cardsOf(server.deps, ann.customer.id)).some((card) => card.id === id)).toBe(true)
})
