import { afterAll, beforeAll, expect, test } from 'vitest'
import { cardsOf } from '#server/cards/card.ts'
import { issueCards } from '#server/cards/service.ts'
import { auditTestBooks, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'

let server: PeopleServer
let max: TestPerson

beforeAll(async () => {
  server = await peopleServer()
  max = await server.person({ fullName: 'Max Moss', email: 'max@example.com' })
  const accountId = max.customer.currentAccountId
  const card = { customerId: max.customer.id, accountId, type: 'debit' } as const
  await issueCards(server.deps, [
    { ...card, name: 'Main Card', lastFour: '4821', expiresOn: '2028-12-31', kind: 'main' },
    { ...card, name: 'Second Card', lastFour: '1111', expiresOn: '2027-02-28', kind: 'multi_use' },
  ])
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})

test('cards are listed with the main one first, and keep their date', async () => {
  const cards = await cardsOf(server.deps, max.customer.id)
  expect(cards.map(({ lastFour, expiresOn }) => [lastFour, expiresOn])).toEqual([
    ['4821', '2028-12-31'],
    ['1111', '2027-02-28'],
  ])
})
