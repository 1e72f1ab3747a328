import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSearch } from '#server/accounts/search.ts'
import { type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'

let server: PeopleServer
let ann: TestPerson

beforeAll(async () => {
  server = await peopleServer()
  ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  for (const [method, amountMinor] of [
    ['card', 1_234_50],
    ['wallet', 20_00],
  ] as const) {
    const response = await ann.browser.post('/api/v1/top-ups', { method, amountMinor, asset: 'USD' })
    expect(response.status).toBe(200)
  }
})
afterAll(() => server.close())

const speak = async (language: string) =>
  void (await ann.browser.send('PATCH', '/api/v1/preferences', JSON.stringify({ language })))

const search = async (q: string) =>
  (await ann.transactions(`?q=${encodeURIComponent(q)}`)).map(({ amountMinor }) => amountMinor)

describe.each([
  ['en', ['card deposit', 'CARD', '1,234.50', '$1,234.50', '-$1234.5', '1.234,50'], ['karte', '1.234', 'بطاقة']],
  [
    'de',
    ['karteneinzahlung', 'KARTE', '1.234,50', '1234,5', '1.234,50 $', '−1.234,50 $', '1,234.50'],
    ['card', '1.234', 'بطاقة'],
  ],
  ['ar', ['بالبطاقة', '1,234.50', '١٬٢٣٤٫٥٠'], ['card', 'karte']],
])('search in %s', (language, words, otherWords) => {
  test('finds the descriptions in that language, and amounts in its format', async () => {
    await speak(language)
    for (const q of words) expect(await search(q), q).toEqual([1_234_50])
    for (const q of otherWords) expect(await search(q), q).toEqual([])
  })
})

test('finds a salary by its name in that language and by the employer’s own text', async () => {
  await speak('de')
  expect((await ann.browser.post('/api/v1/sample/salary', {})).status).toBe(200)
  expect(await search('gehalt')).toEqual([3_500_00])
})

test('finds a card by its last digits after the word for it', () => {
  const arabic = readSearch(server.deps.translations.in('ar'), '4821')
  expect(arabic.methods.debit_card).toBe('بطاقة خصم •••• {lastFour}')
})
