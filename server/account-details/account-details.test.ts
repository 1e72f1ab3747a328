import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccountDetails } from '#contract/account-details.ts'
import { isRoutingNumber } from '#contract/bank-numbers.ts'
import { accountIdOf } from '#server/account-details/number.ts'
import { closeCustomer } from '#server/profile/closure.ts'
import { expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'

let server: PeopleServer
let ann: TestPerson
let ben: TestPerson

beforeAll(async () => {
  server = await peopleServer()
  ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  ben = await server.person({ fullName: 'Ben May', email: 'ben@example.com' })
})
afterAll(() => server.close())

const detailsOf = async ({ browser }: TestPerson) =>
  ((await (await browser.get('/api/v1/account-details')).json()) as { details: AccountDetails }).details

const pdfText = async ({ browser }: TestPerson, path: string) => {
  const answer = await browser.get(path)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  const document = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()))
  expect(document.numPages).toBe(1)
  return (await extractText(document, { mergePages: true })).text
}

test('each customer has their own account number at the bank', async () => {
  const [ownDetails, benDetails] = [await detailsOf(ann), await detailsOf(ben)]
  expect(ownDetails).toMatchObject({ holderName: 'Ann Lee', bankName: 'Alder' })
  expect(isRoutingNumber(ownDetails.routingNumber)).toBe(true)
  expect(benDetails.routingNumber).toBe(ownDetails.routingNumber)
  expect(benDetails.accountNumber).not.toBe(ownDetails.accountNumber)
  expect(accountIdOf(server.deps.config, ownDetails.accountNumber)).toBe(ann.customer.currentAccountId)
  expect(await detailsOf(ann)).toEqual(ownDetails)
})

test('only a signed-in customer can read their details, and a number is never reused', async () => {
  for (const path of ['', '/letter'])
    await expectRefusal(await server.browser().get(`/api/v1/account-details${path}`), 'sign_in_required')
  const cat = await server.person({ fullName: 'Cat Ray', email: 'cat@example.com' })
  const { accountNumber } = await detailsOf(cat)
  await closeCustomer(server.deps, cat.customer, {
    device: { browser: 'Test browser', system: null },
    networkZone: 'internet',
  })
  for (let index = 0; index < 3; index += 1) {
    const next = await server.person({ fullName: 'Cat Ray', email: `cat${index}@example.com` })
    expect((await detailsOf(next)).accountNumber).not.toBe(accountNumber)
  }
})

test('the letter, the statement and the download contain the same number', async () => {
  const { accountNumber, routingNumber } = await detailsOf(ann)
  const letter = await pdfText(ann, '/api/v1/account-details/letter')
  expect(letter).toContain('Account details confirmation')
  expect(letter).toContain('Ann Lee holds the account below at Alder')
  expect(letter).toContain(routingNumber)
  expect(letter.replaceAll(/\s/g, '')).toContain(accountNumber)
  const statement = await pdfText(ann, '/api/v1/statements/current/file?format=pdf&from=2026-08-01&to=2026-08-28')
  expect(statement).toContain(accountNumber)
  expect(statement).toContain(routingNumber)
  const ofx = await ann.browser.get('/api/v1/statements/current/file?format=ofx&from=2026-08-01&to=2026-08-28')
  expect(await ofx.text()).toMatch(new RegExp(`<BANKID>${routingNumber}</BANKID>\\s*<ACCTID>${accountNumber}<`))
  const download = (await (await ann.browser.get('/api/v1/profile/export')).json()) as {
    accountDetails: AccountDetails
  }
  expect(download.accountDetails).toEqual(await detailsOf(ann))
})

test('the letter is in the customer’s language', async () => {
  await server.deps.pool.query("UPDATE bank.customer SET language = 'de' WHERE id = $1", [ben.customer.id])
  expect(await pdfText(ben, '/api/v1/account-details/letter')).toContain('Bestätigung der Kontoverbindung')
})

test('the digits stay in order in a right-to-left letter', async () => {
  await server.deps.pool.query("UPDATE bank.customer SET language = 'ar' WHERE id = $1", [ben.customer.id])
  const answer = await ben.browser.get('/api/v1/account-details/letter')
  const page = await (await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()))).getPage(1)
  const { items } = await page.getTextContent()
  const digits = items
    .flatMap((item) =>
      'str' in item && /\d{4}/.test(item.str) ? [{ text: item.str, x: item.transform[4] as number }] : [],
    )
    .toSorted((a, b) => a.x - b.x)
    .map(({ text }) => text.replaceAll(/\D/g, ''))
    .join('')
  expect(digits).toContain((await detailsOf(ben)).accountNumber)
})

test('a bank without external transfers has no account details', async () => {
  const alone = await peopleServer({ config: { mode: 'live', routingNumber: null } })
  const dan = await alone.person({ fullName: 'Dan Fox', email: 'dan@example.com' })
  expect(await detailsOf(dan)).toBeNull()
  await expectRefusal(await dan.browser.get('/api/v1/account-details/letter'), 'not_found')
  await alone.close()
})
