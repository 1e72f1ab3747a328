import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { EmailConfirmation } from '#contract/identity.ts'
import type { Mail } from '#contract/mail.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import type { SignUpToken } from '#server/identity/sign-in/sign-up.ts'
import { issueOneTimeToken } from '#server/identity/sessions/one-time-tokens.ts'
import { testClock } from '#server/test/bank.ts'
import type { Browser } from '#server/test/browser.ts'
import { mailsTo as writtenTo } from '#server/test/mails.ts'
import { expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { signInCookie } from '#server/test/sign-in.ts'

const clock = testClock()
const PASSWORD = 'correct horse battery'
const HOUR_MS = 3_600_000
let server: PeopleServer
let ann: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(() => server.close())
beforeEach(async () => {
  round += 1
  ann = await newcomer('Ann Lee', `ann${round}@example.com`)
})

async function newcomer(fullName: string, email: string): Promise<TestPerson> {
  return server.person({ fullName, email, passwordHash: await hashPassword(PASSWORD) })
}

const newEmail = (name = 'new') => `ann.${name}${round}@example.com`

const ask = (person: TestPerson, email: string) =>
  person.browser.send('PATCH', '/api/v1/profile', JSON.stringify({ email }))

async function requestChange(person: TestPerson, email: string) {
  const answer = await ask(person, email)
  expect(answer.status).toBe(200)
  return answer.json()
}

/** Returns the mails to an address, newest first. */
const mailsTo = async (address: string) => (await writtenTo(server.deps, address)).toReversed()

/** Returns the token of the link in the latest mail to an address. */
async function linkTo(address: string): Promise<string> {
  const [mail] = await mailsTo(address)
  return /\/confirm-email\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
}

const confirm = (browser: Browser, oneTimeToken: string, password?: string) =>
  browser.post('/api/v1/email-confirmations', { oneTimeToken, ...(password === undefined ? {} : { password }) })

async function confirmed(browser: Browser, oneTimeToken: string): Promise<EmailConfirmation['status']> {
  const answer = await confirm(browser, oneTimeToken)
  expect(answer.status).toBe(200)
  return ((await answer.json()) as EmailConfirmation).status
}

const profileOf = async (person: TestPerson) => (await person.browser.get('/api/v1/profile')).json()

async function eventsOf(person: TestPerson): Promise<string[]> {
  const { events } = await (await person.browser.get('/api/v1/security-events')).json()
  return events.map(({ kind }: { kind: string }) => kind)
}

test.each([
  ['the old one first', ['old', 'new']],
  ['the new one first', ['new', 'old']],
])('an email changes after both addresses have confirmed, %s', async (_, order) => {
  const { email } = ann.customer
  expect(await requestChange(ann, ` ${newEmail().toUpperCase()} `)).toMatchObject({ email, pendingEmail: newEmail() })
  const links = { old: await linkTo(email), new: await linkTo(newEmail()) }
  const [first, second] = order.map((which) => links[which as keyof typeof links])
  const phone = server.browser(await signInCookie(server.deps, ann.customer.id))
  expect(await confirmed(ann.browser, first ?? '')).toBe('other_pending')
  expect(await profileOf(ann)).toMatchObject({ email, pendingEmail: newEmail() })
  await expectRefusal(await confirm(ann.browser, first ?? ''), 'link_invalid')
  expect((await phone.get('/api/v1/me')).status).toBe(200)

  expect(await confirmed(ann.browser, second ?? '')).toBe('done')
  expect(await profileOf(ann)).toMatchObject({ email: newEmail(), pendingEmail: null })
  await expectRefusal(await confirm(ann.browser, second ?? ''), 'link_invalid')
  // The change signs out other devices, notifies both addresses and records a security event.
  expect((await phone.get('/api/v1/me')).status).toBe(401)
  expect((await mailsTo(email))[0]).toMatchObject({ subject: 'Your email was changed' })
  // The old address may belong to another person now. The mail to it contains no text that a customer typed, such as the new
  // address.
  expect((await mailsTo(email))[0]?.text).not.toContain(newEmail())
  expect((await mailsTo(newEmail()))[0]).toMatchObject({ subject: 'Email changed' })
  expect((await eventsOf(ann)).slice(0, 2)).toEqual(['email_changed', 'email_change_asked'])
  // The new address signs in, and the old address is free again.
  const answer = await server.browser().post('/api/v1/session', { email: newEmail(), password: PASSWORD })
  expect((await answer.json()).status).toBe('signed_in')
  const { rows } = await server.deps.pool.query('SELECT id FROM bank.customer WHERE email = $1', [email])
  expect(rows).toEqual([])
})

test('the link needs the customer’s own session, or their password', async () => {
  await requestChange(ann, newEmail())
  const [oldLink, freshLink] = [await linkTo(ann.customer.email), await linkTo(newEmail())]
  const visitor = await server.visitor()
  await expectRefusal(await confirm(visitor, oldLink), 'fields_missing', 'password')
  await expectRefusal(await confirm(visitor, oldLink, 'wrong'), 'credentials_wrong')
  expect((await confirm(visitor, oldLink, PASSWORD)).status).toBe(200)
  expect(await confirmed(ann.browser, freshLink)).toBe('done')
})

test('a link lasts 24 hours', async () => {
  const startedAt = clock.realNow()
  await requestChange(ann, newEmail())
  const [oldLink, freshLink] = [await linkTo(ann.customer.email), await linkTo(newEmail())]
  clock.set(new Date(startedAt.getTime() + 24 * HOUR_MS - 1))
  const late = server.browser(await signInCookie(server.deps, ann.customer.id))
  expect(await confirmed(late, oldLink)).toBe('other_pending')
  clock.set(new Date(startedAt.getTime() + 24 * HOUR_MS))
  await expectRefusal(await confirm(late, freshLink), 'link_invalid')
  expect(await (await late.get('/api/v1/profile')).json()).toMatchObject({
    email: ann.customer.email,
    pendingEmail: null,
  })
})

test('another change voids the earlier links', async () => {
  await requestChange(ann, newEmail('first'))
  const before = [await linkTo(ann.customer.email), await linkTo(newEmail('first'))]
  expect(await requestChange(ann, newEmail('second'))).toMatchObject({ pendingEmail: newEmail('second') })
  const after = [await linkTo(ann.customer.email), await linkTo(newEmail('second'))]
  for (const link of before) await expectRefusal(await confirm(ann.browser, link), 'link_invalid')
  expect(await confirmed(ann.browser, after[0] ?? '')).toBe('other_pending')
  // The links of the first request do not confirm the second request.
  for (const link of before) await expectRefusal(await confirm(ann.browser, link), 'link_invalid')
  expect(await confirmed(ann.browser, after[1] ?? '')).toBe('done')
  expect(await profileOf(ann)).toMatchObject({ email: newEmail('second') })
})

test('changing back cancels the change', async () => {
  await requestChange(ann, newEmail())
  const links = [await linkTo(ann.customer.email), await linkTo(newEmail())]
  expect(await requestChange(ann, ann.customer.email.toUpperCase())).toMatchObject({ pendingEmail: null })
  for (const link of links) await expectRefusal(await confirm(ann.browser, link), 'link_invalid')
  expect(await profileOf(ann)).toMatchObject({ email: ann.customer.email })
})

test('for another customer’s address the response is the same, its owner gets a mail, and it does not change', async () => {
  const bob = await newcomer('Bob May', `bob${round}@example.com`)
  const freeResponse = await requestChange(ann, newEmail())
  const response = await requestChange(ann, bob.customer.email)
  expect(response).toEqual({ ...freeResponse, pendingEmail: bob.customer.email })
  const [mail, ...otherMails] = await mailsTo(bob.customer.email)
  expect(otherMails).toEqual([])
  expect(mail).toMatchObject({ subject: 'Someone tried to use your email address' })
  const { mails } = await (await bob.browser.get('/api/v1/sample/mail')).json()
  expect(mails.map(({ kind }: Mail) => kind)).toEqual(['email_wanted'])
  expect(mail?.text).not.toMatch(/token|Ann|ann/)
  expect(await confirmed(ann.browser, await linkTo(ann.customer.email))).toBe('other_pending')
  expect(await profileOf(ann)).toMatchObject({ email: ann.customer.email })
  expect(await profileOf(bob)).toMatchObject({ email: bob.customer.email, pendingEmail: null })
})

test('of many simultaneous changes to one address, one succeeds', async () => {
  const people = await Promise.all([1, 2, 3].map((n) => newcomer('Many', `many${n}.${round}@example.com`)))
  const links: string[][] = []
  for (const person of people) {
    await requestChange(person, newEmail())
    links.push([await linkTo(person.customer.email), await linkTo(newEmail())])
  }
  const olds = await Promise.all(people.map((person, index) => confirmed(person.browser, links[index]?.[0] ?? '')))
  expect(olds).toEqual(people.map(() => 'other_pending'))
  const answers = await Promise.all(people.map((person, index) => confirm(person.browser, links[index]?.[1] ?? '')))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410, 410])
  for (const answer of answers.filter(({ status }) => status === 410)) await expectRefusal(answer, 'link_invalid')
  const { rows } = await server.deps.pool.query(
    'SELECT count(*) AS owners FROM bank.customer WHERE email = $1 AND email_confirmed_at IS NOT NULL',
    [newEmail()],
  )
  expect(rows).toEqual([{ owners: 1 }])
})

test('an unconfirmed present address gets no link', async () => {
  const eve = await server.person({ fullName: 'Eve Low', email: newEmail('typo'), unconfirmed: ['email'] })
  await requestChange(eve, newEmail('right'))
  expect(await mailsTo(newEmail('typo'))).toEqual([])
  expect(await confirmed(eve.browser, await linkTo(newEmail('right')))).toBe('done')
  expect(await profileOf(eve)).toMatchObject({ email: newEmail('right'), pendingEmail: null })
  expect(await mailsTo(newEmail('typo'))).toEqual([])
  const me = await (await eve.browser.get('/api/v1/me')).json()
  expect(me.customer.emailConfirmed).toBe(true)
})

test('confirming the present address voids an earlier request without its consent', async () => {
  const email = newEmail('late')
  const eve = await server.person({ fullName: 'Eve Low', email, unconfirmed: ['email'] })
  await requestChange(eve, newEmail())
  const wish = await linkTo(newEmail())
  const content: SignUpToken = { purpose: 'sign_up', email }
  const token = await issueOneTimeToken(server.deps, server.deps.db, 'email', { customerId: eve.customer.id, content })
  expect(await confirmed(eve.browser, token)).toBe('done')
  expect(await profileOf(eve)).toMatchObject({ email, pendingEmail: null })
  await expectRefusal(await confirm(eve.browser, wish), 'link_invalid')
  expect(await profileOf(eve)).toMatchObject({ email })
})

test('the links are stored as digests, and another customer’s links do not work', async () => {
  await requestChange(ann, newEmail())
  const link = await linkTo(newEmail())
  const { rows } = await server.deps.pool.query(
    'SELECT to_jsonb(t) AS token, (SELECT jsonb_agg(e) FROM bank.email_change e) AS wishes FROM bank.one_time_token t',
  )
  expect(JSON.stringify(rows)).not.toContain(link)
  const bob = await newcomer('Bob May', `bob${round}@example.com`)
  await expectRefusal(await confirm(bob.browser, link), 'fields_missing', 'password')
  expect(await profileOf(ann)).toMatchObject({ pendingEmail: newEmail() })
})

test('both mails are in the sample mailbox of the requesting customer', async () => {
  await requestChange(ann, newEmail())
  const { mails } = await (await ann.browser.get('/api/v1/sample/mail')).json()
  expect(mails.slice(0, 2).map(({ to }: Mail) => to)).toEqual([newEmail(), ann.customer.email])
})

test('a customer may request ten changes per hour', async () => {
  for (let index = 0; index < 10; index += 1) await requestChange(ann, newEmail(`n${index}`))
  const refusal = await ask(ann, newEmail('last'))
  expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await refusal.json()).error.code).toBe('too_many_requests')
  expect(await mailsTo(newEmail('last'))).toEqual([])
  expect(await profileOf(ann)).toMatchObject({ pendingEmail: newEmail('n9') })
})

test('one customer can cause at most three mails per hour to an address', async () => {
  for (let times = 0; times < 3; times += 1) await requestChange(ann, newEmail())
  await expectRefusal(await ask(ann, newEmail()), 'too_many_requests')
  expect(await mailsTo(newEmail())).toHaveLength(3)
})

test('an address gets at most ten mails per day from all customers, and its owner can still confirm it', async () => {
  const people = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => newcomer('Many', `flood${n}.${round}@example.com`)))
  for (const person of people)
    for (const tag of ['', '+a']) await requestChange(person, newEmail().replace('@', `${tag}@`))
  expect([...(await mailsTo(newEmail())), ...(await mailsTo(newEmail().replace('@', '+a@')))]).toHaveLength(10)
  // The other customers close their accounts. The links in the mails that they requested still work for Ann.
  for (const person of people) expect((await person.browser.post('/api/v1/profile/closure', {})).status).toBe(204)
  expect(await requestChange(ann, newEmail())).toMatchObject({ pendingEmail: newEmail() })
  expect(await mailsTo(newEmail())).toHaveLength(5)
  expect(await confirmed(ann.browser, await linkTo(newEmail()))).toBe('other_pending')
  expect(await confirmed(ann.browser, await linkTo(ann.customer.email))).toBe('done')
  expect(await profileOf(ann)).toMatchObject({ email: newEmail() })
})

test('a link for another address or another customer confirms nothing', async () => {
  const bob = await newcomer('Bob May', `bob${round}@example.com`)
  await requestChange(bob, newEmail('bob'))
  await requestChange(ann, newEmail())
  const [oldLink, freshLink] = [await linkTo(bob.customer.email), await linkTo(newEmail('bob'))]
  for (const link of [oldLink, freshLink])
    await expectRefusal(await confirm(ann.browser, link), 'fields_missing', 'password')
  expect(await profileOf(ann)).toMatchObject({ pendingEmail: newEmail() })
  expect(await confirmed(bob.browser, freshLink)).toBe('other_pending')
})
