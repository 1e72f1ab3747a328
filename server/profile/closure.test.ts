import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runOn } from '#server/platform/db/run.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { createSession } from '#server/identity/sessions/sessions.ts'
import { issueOneTimeToken } from '#server/identity/sessions/one-time-tokens.ts'
import { openAccounts } from '#server/ledger/accounts.ts'
import { rewardOperation } from '#server/rewards/points.ts'
import { createGoals, moveToGoal } from '#server/savings/service.ts'
import { openAuthenticator } from '#server/test/authenticator.ts'
import { testClock } from '#server/test/bank.ts'
import { auditTestBooks, expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { signInCookie } from '#server/test/sign-in.ts'
import { sendWithProof } from '#server/test/step-up.ts'

const PASSWORD = 'correct horse battery'
const clock = testClock()
let passwordHash: string
let server: PeopleServer
let ann: TestPerson
let bob: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
  passwordHash = await hashPassword(PASSWORD)
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})
beforeEach(async () => {
  round += 1
  const phone = `+4477009${String(10_000 + round)}`
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com`, phone, passwordHash })
  bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
})

const close = (person: TestPerson, body: unknown = {}) => person.browser.post('/api/v1/profile/closure', body)

const send = (from: TestPerson, recipient: string, amountMinor: number) =>
  from.browser.post('/api/v1/transfers', { recipient, amountMinor, asset: 'USD' })

const query = async (text: string, values: unknown[] = []) => (await server.deps.pool.query(text, values)).rows

/** Returns all rows that a closure could change, after the deferred writes are done. */
async function everything() {
  await ann.browser.get('/api/v1/contacts')
  // The points for a payment are written a moment after it.
  await server.deps.paymentPoints.flush()
  const [rows] = await query(
    `SELECT (SELECT jsonb_agg(c ORDER BY id) FROM bank.customer c) AS customers,
            (SELECT jsonb_agg(to_jsonb(s) - 'last_used_at' ORDER BY id) FROM bank.session s) AS sessions,
            (SELECT jsonb_agg(c) FROM bank.contact c) AS contacts,
            (SELECT count(*) FROM bank.one_time_token) AS one_time_tokens,
            (SELECT count(*) FROM bank.security_event) AS events,
            (SELECT count(*) FROM bank.mail) AS mails,
            (SELECT jsonb_agg(jsonb_build_array(id, status, balance_minor, held_minor) ORDER BY id)
               FROM ledger.account WHERE holder_id IS NOT NULL) AS accounts`,
  )
  return rows
}

async function expectOpen(person: TestPerson, why: string): Promise<void> {
  const before = await everything()
  await expectRefusal(await close(person), 'balance_not_zero')
  expect([why, await everything()]).toEqual([why, before])
}

test('an empty account closes: its sessions end, and its email and phone become available', async () => {
  await ann.fund(10_00)
  expect((await send(ann, bob.customer.email, 10_00)).status).toBe(200)
  const { id, email, phone } = ann.customer
  const tablet = server.browser(await signInCookie(server.deps, id))
  expect((await (await ann.browser.get('/api/v1/contacts')).json()).contacts).toHaveLength(1)
  const answer = await close(ann)
  expect(answer.status).toBe(204)
  expect(answer.headers.getSetCookie()[0]).toMatch(/^alder-\w+=; Max-Age=0;/)
  expect((await ann.browser.get('/api/v1/me')).status).toBe(401)
  expect((await tablet.get('/api/v1/me')).status).toBe(401)
  // The closure covers the points account as well: a customer who has paid another customer collects points.
  expect(await query('SELECT DISTINCT status FROM ledger.account WHERE holder_id = $1', [id])).toEqual([
    { status: 'closed' },
  ])
  const [row] = await query('SELECT * FROM bank.customer WHERE id = $1', [id])
  expect(row).toMatchObject({
    full_name: 'Ann Lee',
    email,
    phone,
    password_hash: null,
    email_confirmed_at: null,
    phone_confirmed_at: null,
    closed_at: clock.businessNow(),
  })
  // The latest security event and the latest mail.
  const [event] = await query('SELECT kind FROM bank.security_event WHERE customer_id = $1 ORDER BY id DESC', [id])
  expect(event).toEqual({ kind: 'account_closed' })
  const [mail] = await query('SELECT recipient, kind FROM bank.mail WHERE customer_id = $1 ORDER BY place DESC', [id])
  expect(mail).toEqual({ recipient: email, kind: 'account_closed' })
  // The closure deletes the customer's contacts and keeps their history.
  expect(await query('SELECT FROM bank.contact WHERE owner_id = $1', [id])).toEqual([])
  expect(
    await query('SELECT count(*) AS entries FROM ledger.entry WHERE account_id = $1', [ann.customer.currentAccountId]),
  ).toEqual([{ entries: 2 }])
  // A new customer may have the email and phone.
  const next = await server.person({ fullName: 'Next One', email, phone })
  await send(bob, email, 1_00)
  expect(await next.balanceMinor()).toBe(1_00)
})

test('money sent to a freed address waits to be claimed, and its former owner cannot claim it', async () => {
  await close(ann)
  const { email } = ann.customer
  await bob.fund(5_00)
  const sentBody = await (await send(bob, email, 5_00)).json()
  expect(sentBody.transaction.status).toBe('pending')
})

describe('an account that is not empty stays open and unchanged', () => {
  test.each([
    ['money on the current account', () => ann.fund(1)],
    [
      'money held for a person who is not a customer',
      async () => {
        await ann.fund(5_00)
        await send(ann, 'not.a.customer@example.com', 5_00)
      },
    ],
    [
      'pending money from another bank',
      () => ann.browser.post('/api/v1/top-ups', { amountMinor: 5_00, asset: 'USD', method: 'bank' }),
    ],
    [
      'money in a savings goal',
      async () => {
        await ann.fund(5_00)
        const [goal] = await createGoals(server.deps, ann.customer.id, [
          { name: 'Sea', icon: 'plane', targetMinor: 100 },
        ])
        const move = { id: randomUUID(), fingerprint: 'test', goalId: goal?.id ?? '', amountMinor: 5_00 }
        await moveToGoal(server.deps, ann.customer, move)
      },
    ],
  ])('with %s', async (why, prepare) => {
    await prepare()
    await expectOpen(ann, why)
    expect((await ann.browser.get('/api/v1/me')).status).toBe(200)
  })

  test('until held money has been returned and spent', async () => {
    await ann.fund(5_00)
    const { transaction } = await (await send(ann, 'not.a.customer@example.com', 5_00)).json()
    await expectOpen(ann, 'set aside')
    await ann.browser.post(`/api/v1/transfers/${transaction.id}/cancel`)
    await expectOpen(ann, 'come back')
    await send(ann, bob.customer.email, 5_00)
    expect((await close(ann)).status).toBe(204)
  })
})

test('points stay in the books, and the closed account earns no more', async () => {
  const [points = 0] = await openAccounts(runOn(server.deps.pool), [
    { holderId: ann.customer.id, code: 'points', asset: 'POINTS' },
  ])
  const reward = () =>
    rewardOperation({ pointsAccountId: points, earning: 'refer_friend', bookedAt: clock.businessNow() })
  await server.deps.ledger.post(reward())
  expect((await close(ann)).status).toBe(204)
  expect(await query('SELECT balance_minor, status FROM ledger.account WHERE id = $1', [points])).toEqual([
    { balance_minor: 500, status: 'closed' },
  ])
  await expect(server.deps.ledger.post(reward())).rejects.toMatchObject({ code: 'account_closed' })
})

test.each([
  [{ customerId: randomUUID() }, 'customerId'],
  [{ force: true }, 'force'],
  [[], undefined],
  ['yes', undefined],
] as const)('the body %j is refused, and nothing changes', async (body, field) => {
  const before = await everything()
  await expectRefusal(await close(ann, body), 'request_invalid', field)
  expect(await everything()).toEqual(before)
})

test('closing right after a send, or at the same moment, leaves no contact', async () => {
  const leavers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const email = `leaver${index}.${round}@example.com`
      const leaver = await server.person({ fullName: 'Lea Ver', email, passwordHash })
      await leaver.fund(1_00)
      return leaver
    }),
  )
  const ids = leavers.map(({ customer }) => customer.id)
  for (const [index, leaver] of leavers.entries()) {
    expect((await send(leaver, bob.customer.email, 1_00)).status).toBe(200)
    // The deferred writes run either during the closure or after it.
    const closing = close(leaver)
    if (index % 2 === 0) await Promise.all([closing, server.deps.contacts.flush()])
    expect((await closing).status).toBe(204)
  }
  await Promise.all([server.deps.contacts.flush(), server.deps.alerts.flush(), server.deps.paymentPoints.flush()])
  expect(await query('SELECT FROM bank.contact WHERE owner_id = ANY($1)', [ids])).toEqual([])
  expect(await query('SELECT FROM bank.session WHERE customer_id = ANY($1)', [ids])).toEqual([])
  const late = `SELECT FROM bank.notification n JOIN bank.customer c ON c.id = n.customer_id
                 WHERE c.id = ANY($1) AND n.kind <> 'payment_received'`
  expect(await query(late, [ids])).toEqual([])
})

test('two simultaneous requests close the account once', async () => {
  const phone = { ...ann, browser: server.browser(await signInCookie(server.deps, ann.customer.id)) }
  const answers = await Promise.all([ann, phone, ann, phone].map((person) => close(person)))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 401, 401, 401])
  const events = await query(`SELECT FROM bank.security_event WHERE customer_id = $1 AND kind = 'account_closed'`, [
    ann.customer.id,
  ])
  expect(events).toHaveLength(1)
})

test('money that arrives at the same instant either comes first, or is refused', async () => {
  await bob.fund(1_000_00)
  const counts = { closed: 0, stayed: 0, refused: 0, set_aside: 0 }
  for (let index = 0; index < 25; index += 1) {
    const cy = await server.person({ fullName: 'Cy Roe', email: `cy${round}.${index}@example.com` })
    const sends = () => Promise.all(Array.from({ length: 3 }, () => send(bob, cy.customer.email, 1_00)))
    // In alternate rounds the payments start before the closure, a little later each time. The first payment of each kind has a
    // certain outcome, even on a busy machine.
    const ahead = index % 2 === 0
    const first = index === 0 ? await sends() : []
    const [before, closing, after] = await Promise.all([
      ahead ? sends() : [],
      close(cy),
      ahead ? sends() : wait(index * 8).then(sends),
    ])
    const responses = await Promise.all(
      [...first, ...before, ...after].map(async (response) => ({
        status: response.status,
        body: await response.json(),
      })),
    )
    const paid = responses.filter(({ body }) => body.transaction?.status === 'completed').length
    for (const { body } of responses.filter(({ status }) => status !== 200)) {
      expect(body.error.code).toBe('account_closed')
      counts.refused += 1
    }
    counts.set_aside += responses.filter(({ body }) => body.transaction?.status === 'pending').length
    expect(await cy.balanceMinor()).toBe(paid * 1_00)
    if (closing.status === 204) {
      expect(paid).toBe(0)
      counts.closed += 1
    } else {
      await expectRefusal(closing, 'balance_not_zero')
      expect(paid).toBe(responses.length)
      counts.stayed += 1
    }
  }
  // The test is valid only if both outcomes occurred.
  expect(counts).toMatchObject({ closed: expect.any(Number), stayed: expect.any(Number) })
  expect(counts.closed * counts.stayed * (counts.refused + counts.set_aside)).toBeGreaterThan(0)
  await auditTestBooks(server)
})

test('a payment that was decided before the closure, and booked after it, is refused', async () => {
  await bob.fund(5_00)
  expect((await close(ann)).status).toBe(204)
  const before = await auditTestBooks(server)
  const payment = {
    id: randomUUID(),
    kind: 'payment.send',
    fingerprint: 'test',
    bookedAt: clock.businessNow(),
    legs: [
      {
        kind: 'transfer' as const,
        debit: bob.customer.currentAccountId,
        credit: ann.customer.currentAccountId,
        amountMinor: 5_00,
      },
    ],
  }
  await expect(server.deps.ledger.post(payment)).rejects.toMatchObject({ code: 'account_closed' })
  expect(await auditTestBooks(server)).toEqual(before)
})

describe('a closed customer cannot come back', () => {
  test('by password, passkey, a link in a mail, or as a visitor', async () => {
    const { id, email } = ann.customer
    const authenticator = openAuthenticator(server.url)
    const { oneTimeToken, options } = await (await ann.browser.post('/api/v1/passkeys/options')).json()
    const addition = await ann.browser.post('/api/v1/passkeys', {
      oneTimeToken,
      response: authenticator.create(options),
    })
    expect(addition.status).toBe(200)
    const reset = await issueOneTimeToken(server.deps, server.deps.db, 'password', { customerId: id, content: {} })
    expect((await close(ann)).status).toBe(204)

    for (const table of [
      'passkey',
      'two_factor',
      'recovery_code',
      'visitor',
      'one_time_token',
      'session',
      'email_change',
    ])
      expect([table, await query(`SELECT FROM bank.${table} WHERE customer_id = $1`, [id])]).toEqual([table, []])
    const signInOptions = await (await server.browser().post('/api/v1/session/passkey/options')).json()
    const byPasskey = { oneTimeToken: signInOptions.oneTimeToken, response: authenticator.get(signInOptions.options) }
    await expectRefusal(await server.browser().post('/api/v1/session/passkey', byPasskey), 'passkey_unknown')
    await expectRefusal(
      await server.browser().post('/api/v1/passwords', { oneTimeToken: reset, password: 'another long password' }),
      'link_invalid',
    )
    // In sample mode an unknown email opens a new customer, so this customer is not Ann.
    const signedIn = await (await server.browser().post('/api/v1/session', { email, password: PASSWORD })).json()
    expect(signedIn.status).toBe('signed_in')
    const owners = await query('SELECT id FROM bank.customer WHERE email = $1 AND email_confirmed_at IS NOT NULL', [
      email,
    ])
    expect(owners).toHaveLength(1)
    expect(owners[0].id).not.toBe(id)
  })

  test('as the visitor whose sample customer they were', async () => {
    const visitor = await server.visitor()
    const before = (await (await visitor.get('/api/v1/me')).json()).customer.email
    expect((await visitor.post('/api/v1/profile/closure', {})).status).toBe(204)
    const again = await (await visitor.post('/api/v1/session/visit')).json()
    expect(again.customer.email).not.toBe(before)
    const biometric = await (await visitor.post('/api/v1/session/biometric')).json()
    expect(biometric.me.customer.email).not.toBe(before)
  })

  test('with a session that was created at the same instant', async () => {
    expect((await close(ann)).status).toBe(204)
    const caller = { device: { browser: 'Test browser', system: null }, networkZone: 'this_computer' } as const
    const session = { customerId: ann.customer.id, caller, method: 'password' } as const
    await createSession(server.deps, server.deps.db, session)
    const late = server.browser(await signInCookie(server.deps, ann.customer.id))
    expect((await late.get('/api/v1/me')).status).toBe(401)
  })

  test('in live mode with their email and password', async () => {
    const live = await peopleServer({ config: { mode: 'live' } })
    const eve = await live.person({ fullName: 'Eve Low', email: 'eve@example.com', passwordHash })
    const closed = await sendWithProof(
      eve.browser,
      ['POST', '/api/v1/profile/closure'],
      { password: PASSWORD },
      { body: {} },
    )
    expect(closed.status).toBe(204)
    const answer = await live.browser().post('/api/v1/session', { email: 'eve@example.com', password: PASSWORD })
    await expectRefusal(answer, 'credentials_wrong')
    await live.close()
  })
})

test('a case that waits for a reviewer leaves the queue', async () => {
  await query(`INSERT INTO bank.kyc_case (id, customer_id, created_at) VALUES ($1, $2, now())`, [
    randomUUID(),
    ann.customer.id,
  ])
  await query(`UPDATE bank.kyc_case SET status = 'submitted', submitted_at = now() WHERE customer_id = $1`, [
    ann.customer.id,
  ])
  expect((await close(ann)).status).toBe(204)
  expect(await query('SELECT status FROM bank.kyc_case WHERE customer_id = $1', [ann.customer.id])).toEqual([
    { status: 'required' },
  ])
})
