import { afterAll, beforeAll, expect, test } from 'vitest'
import { extractText, getDocumentProxy } from 'unpdf'
import type { Transaction } from '#contract/accounts.ts'
import type { Mail } from '#contract/mail.ts'
import { ownerForRequester, sendMail } from '#server/mail/service.ts'
import { textsOf } from '#server/messages/service.ts'
import { notify } from '#server/notifications/service.ts'
import { WITH_GERMAN } from '#server/test/catalogs.ts'
import { mailsTo } from '#server/test/mails.ts'
import { type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'
import { doJobs } from '#server/test/post-office.ts'

/** The non-breaking space (U+00A0) before the currency symbol. */
const NBSP = '\u00a0'

let server: PeopleServer
let anna: TestPerson
let bob: TestPerson

beforeAll(async () => {
  server = await peopleServer({ catalogs: WITH_GERMAN })
  anna = await server.person({ fullName: 'Anna Lee', email: 'anna@example.com', phone: '+447700900123' })
  bob = await server.person({ fullName: 'Bob May', email: 'bob@example.com' })
  await speak(anna, 'de')
})
afterAll(() => server.close())

/** Sets a customer's language. */
async function speak({ browser }: TestPerson, language: string): Promise<void> {
  const answer = await browser.send('PATCH', '/api/v1/preferences', JSON.stringify({ language }))
  expect(await answer.json()).toMatchObject({ language })
}

/** Stores a language as an earlier or later version of the bank may have done. */
const keep = ({ customer }: TestPerson, language: string) =>
  server.deps.pool.query('UPDATE bank.customer SET language = $2 WHERE id = $1', [customer.id, language])

const meOf = async ({ browser }: TestPerson) => (await (await browser.get('/api/v1/session')).json()).me

const mailboxOf = async ({ browser }: TestPerson): Promise<Mail[]> =>
  (await (await browser.get('/api/v1/sample/mail')).json()).mails

async function sendMoney({ browser }: TestPerson, recipient: string): Promise<Transaction> {
  const answer = await browser.post('/api/v1/transfers', { recipient, amountMinor: 1_234_50, asset: 'USD' })
  return ((await answer.json()) as { transaction: Transaction }).transaction
}

test('a mail is in its customer’s current language', async () => {
  const { id: customerId, email: to } = anna.customer
  const params = { fullName: 'Anna Lee', tries: 5, minutes: 15 }
  await sendMail(server.deps, server.deps.db, { to, customerId, kind: 'password_locked', params })
  const [german] = await mailboxOf(anna)
  expect(german).toMatchObject({ language: 'de', subject: 'Your password is temporarily locked' })
  expect(german?.text).toMatch(/^Guten Tag Anna Lee,\n\n5-mal falsch\.\n\nIf it was you/)
  await speak(anna, 'en')
  const [english] = await mailboxOf(anna)
  expect(english).toMatchObject({ language: 'en', text: expect.stringMatching(/^Hello Anna Lee,\n\nSomeone entered/) })
  await speak(anna, 'de')
})

test('a mail about money for a person who is not a customer is in its sender’s language', async () => {
  await anna.fund(2_000_00)
  await sendMoney(anna, 'friend@example.net')
  await doJobs(server, 'payments.mail_claim')
  const [mail] = await mailsTo(server.deps, 'friend@example.net')
  expect(mail?.subject).toBe('Jemand hat Ihnen Geld geschickt')
  expect(mail?.text).toContain(`Anna Lee hat Ihnen 1.234,50${NBSP}$ geschickt.`)
  expect(mail?.text).toContain('Bis zum 4. September 2026.')
})

test('a mail without a mailbox is in the language of the customer who caused it', async () => {
  const policy = { ...server.deps.policy, mailboxPage: false }
  const owner = ownerForRequester({ policy }, { id: anna.customer.id, language: 'de' })
  expect(owner).toEqual({ language: 'de' })
  const mail = { to: 'new@example.com', ...owner, kind: 'confirm_new_email', params: {} } as const
  await sendMail(server.deps, server.deps.db, mail)
  expect(await mailsTo(server.deps, 'new@example.com')).toMatchObject([{ subject: 'Bestätigen Sie Ihre Adresse' }])
})

test('a text message is in its customer’s language', async () => {
  await server.deps.pool.query('UPDATE bank.customer SET phone_confirmed_at = NULL WHERE id = $1', [anna.customer.id])
  expect((await anna.browser.post('/api/v1/phone-codes')).status).toBe(202)
  const [text] = await textsOf(server.deps, [anna.customer.id])
  expect(text).toMatchObject({ language: 'de', text: expect.stringMatching(/^Ihr Code ist \d{6}\.$/) })
})

async function receiptOf({ browser }: TestPerson, { id }: Transaction) {
  const answer = await browser.get(`/api/v1/transactions/${id}/receipt`)
  const pdf = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()))
  const { info } = (await pdf.getMetadata()) as { info: { Language?: string; Title?: string } }
  return { info, text: (await extractText(pdf, { mergePages: true })).text }
}

test('a receipt is in the language of the requesting customer', async () => {
  await anna.fund(2_000_00)
  const transaction = await sendMoney(anna, 'receipt@example.net')
  const german = await receiptOf(anna, transaction)
  expect(german.info).toMatchObject({ Language: 'de', Title: `Beleg ${transaction.transactionId}` })
  for (const language of [
    '−1.234,50 $ USD',
    'Ausstehend',
    'Überweisung',
    'Alder-Überweisung',
    '28. August 2026 um 09:41 UTC',
  ])
    expect(german.text).toContain(language)
  await bob.fund(2_000_00)
  const english = await receiptOf(bob, await sendMoney(bob, 'receipt@example.net'))
  expect(english.info).toMatchObject({ Language: 'en', Title: expect.stringMatching(/^Receipt TXN/) })
})

test('notices and mails are downloaded in the language, with its name', async () => {
  const params = { amountMinor: 3_500_00, asset: 'USD', name: 'Northwind Studio' } as const
  const { id: customerId } = anna.customer
  await notify(server.deps, server.deps.db, { customerId, kind: 'payment_received', params })
  const data = await (await anna.browser.get('/api/v1/profile/export')).json()
  expect(data.notifications).toContainEqual(
    expect.objectContaining({
      title: 'Geld erhalten',
      message: `Sie haben 3.500,00${NBSP}$ von Northwind Studio erhalten.`,
    }),
  )
  expect(new Set(data.mails.map(({ language }: Mail) => language))).toEqual(new Set(['de']))
  expect(data.profile.language).toBe('de')
})

test('a chosen language is returned, and a language that the bank no longer supports becomes English', async () => {
  expect((await meOf(anna)).customer.language).toBe('de')
  expect((await meOf(bob)).customer.language).toBeNull()
  await keep(bob, 'eo-XX')
  expect((await meOf(bob)).customer.language).toBe('en')
  expect(await (await bob.browser.get('/api/v1/profile')).json()).toMatchObject({ language: 'en' })
})

test('an invalid language is not stored', async () => {
  await expect(keep(bob, 'English')).rejects.toThrow('customer_language_check')
})
