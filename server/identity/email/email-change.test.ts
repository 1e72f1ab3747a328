import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { EmailConfirmation } from '#contract/identity.ts'
import type { Mail } from '#contract/mail.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import type { SignUpToken } from '#server/identity/sign-in/sign-up.ts'
import { issueOneTimeToken } from '#server/identity/sessions/one-time-tokens.ts'
import { testClock } from '#server/test/bank.ts'
import type { Browser } from '#server/test/browser.ts'
import { mailsTo as writtenTo } from '#server/test/mails.ts'
import { expectRefusal, type Person, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { signInCookie } from '#server/test/sign-in.ts'

const clock = testClock()
const PASSWORD = 'correct horse battery'
const HOUR_MS = 3_600_000
let server: PeopleServer
let ann: Person
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(() => server.close())
beforeEach(async () => {
  round += 1
  ann = await newcomer('Ann Lee', `ann${round}@example.com`)
})

async function newcomer(fullName: string, email: string): Promise<Person> {
  return server.person({ fullName, email, passwordHash: await hashPassword(PASSWORD) })
}

const wanted = (name = 'new') => `ann.${name}${round}@example.com`

const ask = (person: Person, email: string) =>
  person.browser.send('PATCH', '/api/v1/profile', JSON.stringify({ email }))

async function asked(person: Person, email: string) {
  const answer = await ask(person, email)
  expect(answer.status).toBe(200)
  return answer.json()
}

/** The last one first. */
const mailsTo = async (address: string) => (await writtenTo(server.deps, address)).toReversed()

/** The token of the link in the latest mail to an address. */
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

const profileOf = async (person: Person) => (await person.browser.get('/api/v1/profile')).json()

async function eventsOf(person: Person): Promise<string[]> {
  const { events } = await (await person.browser.get('/api/v1/security-events')).json()
  return events.map(({ kind }: { kind: string }) => kind)
}

test.each([
  ['the old one first', ['old', 'new']],
  ['the new one first', ['new', 'old']],
])('an email changes once both addresses have said yes, %s', async (_, order) => {
  const { email } = ann.customer
  expect(await asked(ann, ` ${wanted().toUpperCase()} `)).toMatchObject({ email, pendingEmail: wanted() })
  const links = { old: await linkTo(email), new: await linkTo(wanted()) }
  const [first, second] = order.map((which) => links[which as keyof typeof links])
  const phone = server.browser(await signInCookie(server.deps, ann.customer.id))
  expect(await confirmed(ann.browser, first ?? '')).toBe('other_pending')
  expect(await profileOf(ann)).toMatchObject({ email, pendingEmail: wanted() })
  await expectRefusal(await confirm(ann.browser, first ?? ''), 'link_invalid')
  expect((await phone.get('/api/v1/me')).status).toBe(200)

  expect(await confirmed(ann.browser, second ?? '')).toBe('done')
  expect(await profileOf(ann)).toMatchObject({ email: wanted(), pendingEmail: null })
  await expectRefusal(await confirm(ann.browser, second ?? ''), 'link_invalid')
  // Other devices are signed out, both addresses are told, and it is written down.
  expect((await phone.get('/api/v1/me')).status).toBe(401)
  expect((await mailsTo(email))[0]).toMatchObject({ subject: 'Your email was changed' })
  // Nothing that somebody typed is in a mail to an address that may be another's by now.
  expect((await mailsTo(email))[0]?.text).not.toContain(wanted())
  expect((await mailsTo(wanted()))[0]).toMatchObject({ subject: 'Email changed' })
  expect((await eventsOf(ann)).slice(0, 2)).toEqual(['email_changed', 'email_change_asked'])
  // The new address signs in, and the old one is free.
  const answer = await server.browser().post('/api/v1/session', { email: wanted(), password: PASSWORD })
  expect((await answer.json()).status).toBe('signed_in')
  const { rows } = await server.deps.pool.query('SELECT id FROM bank.customer WHERE email = $1', [email])
  expect(rows).toEqual([])
})

test('the link needs the customer’s own session, or their password', async () => {
  await asked(ann, wanted())
  const [old, fresh] = [await linkTo(ann.customer.email), await linkTo(wanted())]
  const visitor = await server.visitor()
  await expectRefusal(await confirm(visitor, old), 'fields_missing', 'password')
  await expectRefusal(await confirm(visitor, old, 'wrong'), 'credentials_wrong')
  expect((await confirm(visitor, old, PASSWORD)).status).toBe(200)
  expect(await confirmed(ann.browser, fresh)).toBe('done')
})

test('a link lasts 24 hours', async () => {
  const begun = clock.realNow()
  await asked(ann, wanted())
  const [old, fresh] = [await linkTo(ann.customer.email), await linkTo(wanted())]
  clock.set(new Date(begun.getTime() + 24 * HOUR_MS - 1))
  const late = server.browser(await signInCookie(server.deps, ann.customer.id))
  expect(await confirmed(late, old)).toBe('other_pending')
  clock.set(new Date(begun.getTime() + 24 * HOUR_MS))
  await expectRefusal(await confirm(late, fresh), 'link_invalid')
  expect(await (await late.get('/api/v1/profile')).json()).toMatchObject({
    email: ann.customer.email,
    pendingEmail: null,
  })
})

test('changing again voids the links before', async () => {
  await asked(ann, wanted('first'))
  const before = [await linkTo(ann.customer.email), await linkTo(wanted('first'))]
  expect(await asked(ann, wanted('second'))).toMatchObject({ pendingEmail: wanted('second') })
  const after = [await linkTo(ann.customer.email), await linkTo(wanted('second'))]
  for (const link of before) await expectRefusal(await confirm(ann.browser, link), 'link_invalid')
  expect(await confirmed(ann.browser, after[0] ?? '')).toBe('other_pending')
  // The first address was never confirmed for the second wish.
  for (const link of before) await expectRefusal(await confirm(ann.browser, link), 'link_invalid')
  expect(await confirmed(ann.browser, after[1] ?? '')).toBe('done')
  expect(await profileOf(ann)).toMatchObject({ email: wanted('second') })
})

test('changing back cancels it', async () => {
  await asked(ann, wanted())
  const links = [await linkTo(ann.customer.email), await linkTo(wanted())]
  expect(await asked(ann, ann.customer.email.toUpperCase())).toMatchObject({ pendingEmail: null })
  for (const link of links) await expectRefusal(await confirm(ann.browser, link), 'link_invalid')
  expect(await profileOf(ann)).toMatchObject({ email: ann.customer.email })
})

test('an address of another customer gets the same answer, its owner is told, and it stays theirs', async () => {
  const bob = await newcomer('Bob May', `bob${round}@example.com`)
  const free = await asked(ann, wanted())
  const taken = await asked(ann, bob.customer.email)
  expect(taken).toEqual({ ...free, pendingEmail: bob.customer.email })
  const [told, ...rest] = await mailsTo(bob.customer.email)
  expect(rest).toEqual([])
  expect(told).toMatchObject({ subject: 'Someone asked for your email address' })
  const { mails } = await (await bob.browser.get('/api/v1/sample/mail')).json()
  expect(mails.map(({ kind }: Mail) => kind)).toEqual(['email_wanted'])
  expect(told?.text).not.toMatch(/token|Ann|ann/)
  expect(await confirmed(ann.browser, await linkTo(ann.customer.email))).toBe('other_pending')
  expect(await profileOf(ann)).toMatchObject({ email: ann.customer.email })
  expect(await profileOf(bob)).toMatchObject({ email: bob.customer.email, pendingEmail: null })
})

test('of many who change to an address at once, one gets it', async () => {
  const people = await Promise.all([1, 2, 3].map((n) => newcomer('Many', `many${n}.${round}@example.com`)))
  const links: string[][] = []
  for (const person of people) {
    await asked(person, wanted())
    links.push([await linkTo(person.customer.email), await linkTo(wanted())])
  }
  const olds = await Promise.all(people.map((person, index) => confirmed(person.browser, links[index]?.[0] ?? '')))
  expect(olds).toEqual(people.map(() => 'other_pending'))
  const answers = await Promise.all(people.map((person, index) => confirm(person.browser, links[index]?.[1] ?? '')))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410, 410])
  for (const answer of answers.filter(({ status }) => status === 410)) await expectRefusal(answer, 'link_invalid')
  const { rows } = await server.deps.pool.query(
    'SELECT count(*) AS owners FROM bank.customer WHERE email = $1 AND email_confirmed_at IS NOT NULL',
    [wanted()],
  )
  expect(rows).toEqual([{ owners: 1 }])
})

test('an address that was never confirmed is not asked', async () => {
  const eve = await server.person({ fullName: 'Eve Low', email: wanted('typo'), unconfirmed: ['email'] })
  await asked(eve, wanted('right'))
  expect(await mailsTo(wanted('typo'))).toEqual([])
  expect(await confirmed(eve.browser, await linkTo(wanted('right')))).toBe('done')
  expect(await profileOf(eve)).toMatchObject({ email: wanted('right'), pendingEmail: null })
  expect(await mailsTo(wanted('typo'))).toEqual([])
  const me = await (await eve.browser.get('/api/v1/me')).json()
  expect(me.customer.emailConfirmed).toBe(true)
})

test('once the present address is confirmed, an earlier request without its consent is void', async () => {
  const email = wanted('late')
  const eve = await server.person({ fullName: 'Eve Low', email, unconfirmed: ['email'] })
  await asked(eve, wanted())
  const wish = await linkTo(wanted())
  const content: SignUpToken = { purpose: 'sign_up', email }
  const own = await issueOneTimeToken(server.deps, server.deps.db, 'email', { customerId: eve.customer.id, content })
  expect(await confirmed(eve.browser, own)).toBe('done')
  expect(await profileOf(eve)).toMatchObject({ email, pendingEmail: null })
  await expectRefusal(await confirm(eve.browser, wish), 'link_invalid')
  expect(await profileOf(eve)).toMatchObject({ email })
})

test('the links are kept as digests, and another customer’s do not work', async () => {
  await asked(ann, wanted())
  const link = await linkTo(wanted())
  const { rows } = await server.deps.pool.query(
    'SELECT to_jsonb(t) AS token, (SELECT jsonb_agg(e) FROM bank.email_change e) AS wishes FROM bank.one_time_token t',
  )
  expect(JSON.stringify(rows)).not.toContain(link)
  const bob = await newcomer('Bob May', `bob${round}@example.com`)
  await expectRefusal(await confirm(bob.browser, link), 'fields_missing', 'password')
  expect(await profileOf(ann)).toMatchObject({ pendingEmail: wanted() })
})

test('both mails are in the sample mailbox of the customer who asked', async () => {
  await asked(ann, wanted())
  const { mails } = await (await ann.browser.get('/api/v1/sample/mail')).json()
  expect(mails.slice(0, 2).map(({ to }: Mail) => to)).toEqual([wanted(), ann.customer.email])
})

test('a customer may ask for ten changes in an hour', async () => {
  for (let index = 0; index < 10; index += 1) await asked(ann, wanted(`n${index}`))
  const refused = await ask(ann, wanted('last'))
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await refused.json()).error.code).toBe('too_many_requests')
  expect(await mailsTo(wanted('last'))).toEqual([])
  expect(await profileOf(ann)).toMatchObject({ pendingEmail: wanted('n9') })
})

test('one customer has an address sent three mails an hour', async () => {
  for (let times = 0; times < 3; times += 1) await asked(ann, wanted())
  await expectRefusal(await ask(ann, wanted()), 'too_many_requests')
  expect(await mailsTo(wanted())).toHaveLength(3)
})

test('an address is sent ten mails a day, however many ask for it, and its owner can still confirm it', async () => {
  const people = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => newcomer('Many', `flood${n}.${round}@example.com`)))
  for (const person of people) for (const tag of ['', '+a']) await asked(person, wanted().replace('@', `${tag}@`))
  expect([...(await mailsTo(wanted())), ...(await mailsTo(wanted().replace('@', '+a@')))]).toHaveLength(10)
  // The others close their accounts; what was mailed on their behalf stays valid.
  for (const person of people) expect((await person.browser.post('/api/v1/profile/closure', {})).status).toBe(204)
  expect(await asked(ann, wanted())).toMatchObject({ pendingEmail: wanted() })
  expect(await mailsTo(wanted())).toHaveLength(5)
  expect(await confirmed(ann.browser, await linkTo(wanted()))).toBe('other_pending')
  expect(await confirmed(ann.browser, await linkTo(ann.customer.email))).toBe('done')
  expect(await profileOf(ann)).toMatchObject({ email: wanted() })
})

test('the link for another address, or another customer, confirms nothing', async () => {
  const bob = await newcomer('Bob May', `bob${round}@example.com`)
  await asked(bob, wanted('bob'))
  await asked(ann, wanted())
  const [old, fresh] = [await linkTo(bob.customer.email), await linkTo(wanted('bob'))]
  for (const link of [old, fresh]) await expectRefusal(await confirm(ann.browser, link), 'fields_missing', 'password')
  expect(await profileOf(ann)).toMatchObject({ pendingEmail: wanted() })
  expect(await confirmed(bob.browser, fresh)).toBe('other_pending')
})
