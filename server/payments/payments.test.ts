import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Transaction, TransactionDetail } from '#contract/accounts.ts'
import { lineNamed } from '#contract/line-texts.ts'
import { addContacts } from '#server/payments/contacts.ts'
import { testClock } from '#server/test/bank.ts'
import { mailsTo } from '#server/test/mails.ts'
import { auditTestBooks, expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { doJobs } from '#server/test/post-office.ts'

// Real time stands still, so that sessions do not expire while business days pass.
const clock = { ...testClock(), realNow: () => new Date('2026-08-28T09:41:00.000Z') }
let server: PeopleServer
let alice: TestPerson
let bob: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})

beforeEach(async () => {
  round += 1
  const phone = String(7_700_900_000 + round)
  alice = await server.person({ fullName: 'Alice Adams', email: `alice${round}@example.com`, phone: `+44${phone}` })
  bob = await server.person({
    fullName: 'Bob Brown',
    email: `bob${round}@example.com`,
    phone: `+1212555${String(1000 + round)}`,
  })
})

const usd = (recipient: string, amountMinor: number) => ({ recipient, amountMinor, asset: 'USD' })

async function send(from: TestPerson, body: unknown, key: string = randomUUID()): Promise<Response> {
  return from.browser.post('/api/v1/transfers', body, { key })
}

async function sendMoney(from: TestPerson, body: unknown, key?: string): Promise<Transaction> {
  const answer = await send(from, body, key)
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { transaction: Transaction }).transaction
}

describe('sending to a customer', () => {
  test('moves the money at once, and both lists show it', async () => {
    await alice.fund(100_00)
    const transaction = await sendMoney(alice, { ...usd(bob.customer.email, 25_50), note: 'Lunch' })
    expect(transaction).toMatchObject({
      name: lineNamed(bob.customer.email),
      amountMinor: -25_50,
      category: 'transfer',
      status: 'completed',
      note: 'Lunch',
      paymentMethod: { code: 'alder_transfer', params: {} },
      balanceAfterMinor: 74_50,
    })
    const [senderLine] = await alice.transactions()
    const [recipientLine] = await bob.transactions()
    expect(senderLine).toEqual(transaction)
    expect(recipientLine).toMatchObject({
      name: lineNamed('Alice Adams'),
      amountMinor: 25_50,
      status: 'completed',
      note: 'Lunch',
      balanceAfterMinor: 25_50,
    })
    expect(recipientLine?.transactionId).toBe(transaction.transactionId)
    expect((await alice.dashboard()).account.availableMinor).toBe(74_50)
    expect((await bob.dashboard()).account.availableMinor).toBe(25_50)
  })

  test.each([
    ['an email in capitals with spaces', () => `  ${bob.customer.email.toUpperCase()} `],
    ['a phone number with punctuation', () => `+1 (212) 555-${String(1000 + round)}`],
    ['a phone number dialled from abroad', () => `001 212 555 ${String(1000 + round)}`],
  ])('finds the recipient by %s', async (_, spelling) => {
    await alice.fund(10_00)
    await sendMoney(alice, usd(spelling(), 10_00))
    expect(await bob.balanceMinor()).toBe(10_00)
  })

  test('reads a number without a country code as a number of the sender’s country', async () => {
    await bob.fund(10_00)
    const national = `0${alice.customer.phone?.slice(3)}`
    const carol = await server.person({
      fullName: 'Carol Clark',
      email: `carol${round}@example.com`,
      phone: `+4477009${String(10_000 + round)}`,
    })
    await carol.fund(10_00)
    await sendMoney(carol, usd(national, 10_00))
    expect(await alice.balanceMinor()).toBe(10_00)
  })

  test('a customer who signs up with another person’s email and their own phone gets nothing meant for that person', async () => {
    const thief = await server.person({
      fullName: 'Mal Lory',
      email: bob.customer.email,
      phone: `+4477009${String(10_000 + round)}`,
      unconfirmed: ['email'],
    })
    await alice.fund(100_00)
    // Both are sent at the same moment, so that the two recipients share a look-up.
    const rounds = Array.from({ length: 10 }, () =>
      Promise.all([
        sendMoney(alice, usd(bob.customer.email, 1_00)),
        sendMoney(alice, usd(thief.customer.phone ?? '', 1)),
        sendMoney(alice, usd(thief.customer.phone ?? '', 1)),
      ]),
    )
    await Promise.all(rounds)
    expect(await bob.balanceMinor()).toBe(10_00)
    expect(await thief.balanceMinor()).toBe(20)
  })

  test('refuses sending to oneself, in any spelling, before it checks the funds', async () => {
    const before = await auditTestBooks(server)
    const phone = alice.customer.phone ?? ''
    for (const recipient of [
      alice.customer.email,
      alice.customer.email.toUpperCase(),
      phone,
      `0${phone.slice(3)}`,
      `0044${phone.slice(3)}`,
    ]) {
      await expectRefusal(await send(alice, usd(recipient, 10_00)), 'recipient_is_self', 'recipient')
    }
    expect(await auditTestBooks(server)).toEqual(before)
  })

  test('refuses more than the available money, and writes nothing', async () => {
    await alice.fund(10_00)
    const before = await auditTestBooks(server)
    await expectRefusal(await send(alice, usd(bob.customer.email, 10_01)), 'insufficient_funds')
    expect(await auditTestBooks(server)).toEqual(before)
    expect(await alice.transactions()).toHaveLength(1)
  })

  test('parallel sends from one account never overdraw it', async () => {
    await alice.fund(100_00)
    const answers = await Promise.all(Array.from({ length: 40 }, () => send(alice, usd(bob.customer.email, 7_00))))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(14)
    expect(statuses.filter((status) => status === 422)).toHaveLength(26)
    expect(await alice.balanceMinor()).toBe(2_00)
    expect(await bob.balanceMinor()).toBe(98_00)
  })

  test('sends of any amounts in any order keep the total and overdraw no account', async () => {
    await alice.fund(50_00)
    await bob.fund(50_00)
    const nonCustomer = `nobody${round}@example.net`
    const step = fc.record({
      fromAlice: fc.boolean(),
      toNonCustomer: fc.boolean(),
      amountMinor: fc.integer({ min: 1, max: 60_00 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        await Promise.all(
          steps.map(({ fromAlice, toNonCustomer, amountMinor }) => {
            const [from, to] = fromAlice ? [alice, bob] : [bob, alice]
            return send(from, usd(toNonCustomer ? nonCustomer : to.customer.email, amountMinor))
          }),
        )
        const [alicesDashboard, bobsDashboard] = await Promise.all([alice.dashboard(), bob.dashboard()])
        expect(alicesDashboard.account.availableMinor).toBeGreaterThanOrEqual(0)
        expect(bobsDashboard.account.availableMinor).toBeGreaterThanOrEqual(0)
        const accounts = [alicesDashboard.account, bobsDashboard.account]
        expect(accounts.reduce((sum, { availableMinor, heldMinor }) => sum + availableMinor + heldMinor, 0)).toBe(
          100_00,
        )
      }),
      { numRuns: 20 },
    )
    await auditTestBooks(server)
  })
})

describe('repeating a request', () => {
  test('with the same key returns the same response and moves the money once', async () => {
    await alice.fund(100_00)
    const key = randomUUID()
    const body = usd(bob.customer.email, 60_00)
    const answers = await Promise.all(Array.from({ length: 10 }, () => sendMoney(alice, body, key)))
    answers.push(await sendMoney(alice, body, key.toUpperCase()))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await alice.balanceMinor()).toBe(40_00)
  })

  test('with the same key also works for money sent to a person who is not a customer', async () => {
    await alice.fund(100_00)
    const key = randomUUID()
    const body = usd(`stranger${round}@example.net`, 60_00)
    const answers = await Promise.all(Array.from({ length: 10 }, () => sendMoney(alice, body, key)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect((await alice.dashboard()).account).toMatchObject({ availableMinor: 40_00, heldMinor: 60_00 })
  })

  test('with another body and the same key is refused and writes nothing', async () => {
    await alice.fund(100_00)
    const key = randomUUID()
    await sendMoney(alice, usd(bob.customer.email, 10_00), key)
    const before = await auditTestBooks(server)
    for (const body of [
      usd(bob.customer.email, 10_01),
      { ...usd(bob.customer.email, 10_00), note: 'again' },
      usd(`stranger${round}@example.net`, 10_00),
    ]) {
      await expectRefusal(await send(alice, body, key), 'idempotency_key_reused')
    }
    expect(await auditTestBooks(server)).toEqual(before)
  })

  test('with another customer’s key is refused, and reveals nothing about theirs', async () => {
    await alice.fund(100_00)
    await bob.fund(100_00)
    const key = randomUUID()
    await sendMoney(alice, usd(`someone${round}@example.net`, 10_00), key)
    await expectRefusal(await send(bob, usd(`someone${round}@example.net`, 10_00), key), 'idempotency_key_reused')
  })

  test('returns the booked payment, even if the recipient has become a customer since', async () => {
    await alice.fund(100_00)
    const key = randomUUID()
    const email = `later${round}@example.net`
    const first = await sendMoney(alice, usd(email, 10_00), key)
    await server.person({ fullName: 'Laura Later', email })
    expect(await sendMoney(alice, usd(email, 10_00), key)).toEqual(first)
    expect((await alice.dashboard()).account).toMatchObject({ availableMinor: 90_00, heldMinor: 10_00 })
  })

  test('requires a key, which must be a UUID', async () => {
    const body = usd(bob.customer.email, 1)
    await expectRefusal(await alice.browser.post('/api/v1/transfers', body, { key: null }), 'idempotency_key_missing')
    for (const key of ['1', 'not-a-uuid', `${randomUUID()}0`, `{${randomUUID()}}`]) {
      await expectRefusal(await alice.browser.post('/api/v1/transfers', body, { key }), 'idempotency_key_invalid')
    }
  })
})

/** The amounts as raw JSON. */
const BAD_AMOUNTS = [
  '0',
  '-1',
  '-0',
  '"1e3"',
  '1e3',
  '0.001',
  '10.0',
  'null',
  '9007199254740992',
  '1e400',
  '"12,50"',
  '""',
  '"10"',
  'true',
  '[10]',
  '{}',
]

describe('invalid input writes nothing', () => {
  test.each(BAD_AMOUNTS)('amount %s', async (amount) => {
    await alice.fund(100_00)
    const before = await auditTestBooks(server)
    for (const [path, fields] of [
      ['/api/v1/transfers', `"recipient":"${bob.customer.email}"`],
      ['/api/v1/top-ups', '"method":"card"'],
    ]) {
      const text = `{${fields},"asset":"USD","amountMinor":${amount}}`
      await expectRefusal(await alice.browser.send('POST', path ?? '', text), 'amount_invalid', 'amountMinor')
    }
    expect(await auditTestBooks(server)).toEqual(before)
  })

  test.each([
    ['an unknown key', { extra: 1 }, 'request_invalid', 'extra'],
    ['an unknown asset', { asset: 'EUR' }, 'request_invalid', 'asset'],
    ['no asset', { asset: undefined }, 'request_invalid', 'asset'],
    ['a note that is not text', { note: 5 }, 'request_invalid', 'note'],
    ['a note that is too long', { note: 'x'.repeat(141) }, 'request_invalid', 'note'],
    ['a note with a character that the database cannot store', { note: 'a\u0000b' }, 'request_invalid', 'note'],
    ['a note that is broken Unicode', { note: 'a\ud800b' }, 'request_invalid', 'note'],
    ['no recipient', { recipient: undefined }, 'fields_missing', 'recipient'],
    ['an empty recipient', { recipient: '  ' }, 'fields_missing', 'recipient'],
    ['a recipient that is not text', { recipient: 7 }, 'recipient_invalid', 'recipient'],
    ['a recipient that is neither email nor phone', { recipient: 'bob' }, 'recipient_invalid', 'recipient'],
    [
      'a recipient with a broken name before the email',
      { recipient: 'B\u0000b <b@example.com>' },
      'recipient_invalid',
      'recipient',
    ],
    ['a recipient that is too long', { recipient: `${'a'.repeat(250)}@example.com` }, 'recipient_invalid', 'recipient'],
  ] as const)('%s', async (_, change, code, field) => {
    await alice.fund(100_00)
    const before = await auditTestBooks(server)
    const body = { ...usd(bob.customer.email, 1_00), ...change }
    await expectRefusal(await send(alice, body), code, field)
    expect(await auditTestBooks(server)).toEqual(before)
  })

  test('no body, and bodies that are not an object', async () => {
    for (const text of ['', 'null', '[]', '"x"', '{', '1']) {
      const answer = await alice.browser.send('POST', '/api/v1/transfers', text)
      expect(answer.status, text).toBe(400)
    }
  })
})

describe('contacts', () => {
  test('contain the recipients of the customer, latest first, under the customer’s names for them', async () => {
    await alice.fund(100_00)
    expect(await contacts(alice)).toEqual([])
    await sendMoney(alice, usd(bob.customer.email.toUpperCase(), 1_00))
    await sendMoney(alice, usd(`zoe.zed${round}@example.net`, 1_00))
    await sendMoney(alice, usd('+44 7700 900999', 1_00))
    const names = (await contacts(alice)).map(({ name }) => name)
    expect(new Set(names)).toEqual(
      new Set([bob.customer.email.toUpperCase(), `zoe.zed${round}@example.net`, '+44 7700 900999']),
    )
    expect(JSON.stringify(await contacts(alice))).not.toContain('Brown')
    expect(await contacts(bob)).toEqual([])
  })

  test('come first again after they are used again', async () => {
    const start = new Date('2026-08-28T09:41:00.000Z')
    const setMinutes = (minutes: number) => clock.set(new Date(start.getTime() + minutes * 60_000))
    await alice.fund(100_00)
    for (const [minutes, recipient] of [
      [0, bob.customer.email],
      [1, `yan${round}@example.net`],
      [3, bob.customer.email],
    ] as const) {
      setMinutes(minutes)
      await sendMoney(alice, usd(recipient, 1_00))
      await contacts(alice)
    }
    setMinutes(0)
    expect((await contacts(alice)).map(({ name }) => name)).toEqual([bob.customer.email, `yan${round}@example.net`])
  })

  test('show a recipient under the sender’s name for them', async () => {
    await alice.fund(100_00)
    const friend = { name: 'Bobby', address: bob.customer.email, usedAt: new Date('2026-08-01T00:00:00Z') }
    await addContacts(server.deps.db, alice.customer, [friend])
    expect((await sendMoney(alice, usd(bob.customer.email.toUpperCase(), 1_00))).name).toEqual(lineNamed('Bobby'))
    expect(await contacts(alice)).toMatchObject([
      { name: 'Bobby', email: bob.customer.email.toUpperCase(), initials: 'B' },
    ])
  })

  test('are stored once for all spellings, and not for a refused send', async () => {
    await alice.fund(100_00)
    await sendMoney(alice, usd(bob.customer.email, 1_00))
    await sendMoney(alice, usd(` ${bob.customer.email.toUpperCase()}`, 1_00))
    await send(alice, usd(`too.much${round}@example.net`, 1_000_00))
    expect(await contacts(alice)).toHaveLength(1)
  })
})

async function contacts(person: TestPerson): Promise<{ name: string; email: string; initials: string }[]> {
  const answer = await person.browser.get('/api/v1/contacts')
  return ((await answer.json()) as { contacts: { name: string; email: string; initials: string }[] }).contacts
}

describe('sending to a person who is not a customer', () => {
  test('holds the money at once, mails a link, and returns a response of the same form', async () => {
    await alice.fund(100_00)
    const email = `new.person${round}@example.net`
    const pendingTransfer = await sendMoney(alice, { ...usd(email, 30_00), note: 'Welcome' })
    const completedTransfer = await sendMoney(alice, usd(bob.customer.email, 30_00))
    expect(Object.keys(pendingTransfer)).toEqual(Object.keys(completedTransfer))
    expect(pendingTransfer).toMatchObject({
      name: lineNamed(email),
      amountMinor: -30_00,
      status: 'pending',
      balanceAfterMinor: null,
    })
    expect((await alice.dashboard()).account).toMatchObject({ availableMinor: 40_00, heldMinor: 30_00 })
    expect(await alice.transactions('?status=pending')).toEqual([pendingTransfer])
    await doJobs(server, 'payments.mail_claim')
    const { mails } = (await (await alice.browser.get('/api/v1/sample/mail')).json()) as {
      mails: { to: string; text: string }[]
    }
    const link = await claimLink(alice, pendingTransfer)
    expect(mails.find(({ to }) => to === email)?.text).toContain(link)
  })

  test('mails only the sender’s name, and shows the note behind the link', async () => {
    await alice.fund(100_00)
    const email = `stranger${round}@example.net`
    const note = 'Alder: your account is locked\r\n\r\nOpen https://evil.example or call 0800 123 456'
    await sendMoney(alice, { ...usd(email, 1_00), note })
    await doJobs(server, 'payments.mail_claim')
    const [mail] = await mailsTo(server.deps, email)
    expect(mail?.subject).toBe('Someone sent you money')
    expect(mail?.text).toContain('Alice Adams sent you $1.00 with Alder.')
    expect(mail?.text).toContain('They left you a note. You can read it before you accept.')
    expect(mail?.text).not.toMatch(/locked|evil|0800/)
  })

  test('mails one inbox three times a day for all senders and spellings, and the money waits in any case', async () => {
    await alice.fund(100_00)
    await bob.fund(100_00)
    const inbox = [`flood${round}@gmail.com`, `f.lood${round}+a@gmail.com`, `flood${round}@googlemail.com`]
    const pendingTransfers: Transaction[] = []
    for (const sender of [alice, bob, alice, bob])
      for (const email of inbox) pendingTransfers.push(await sendMoney(sender, usd(email, 1_00)))
    await doJobs(server, 'payments.mail_claim')
    const written = await Promise.all(inbox.map((email) => mailsTo(server.deps, email)))
    expect(written.flat()).toHaveLength(3)
    expect((await alice.dashboard()).account.heldMinor).toBe(6_00)
    expect(await claimLink(bob, pendingTransfers.at(-1) as Transaction)).toContain('/claim?token=')
  })

  test.each(['k1,flood@example.net', 'a;b@example.net', 'x:y@example.net', '(d)z@example.net', '"q"@example.net'])(
    'refuses %j, which is not exactly one inbox',
    async (recipient) => {
      await alice.fund(10_00)
      await expectRefusal(await send(alice, usd(recipient, 1_00)), 'recipient_invalid', 'recipient')
      expect((await alice.dashboard()).account.heldMinor).toBe(0)
    },
  )

  test('refuses to spend held money a second time', async () => {
    await alice.fund(100_00)
    await sendMoney(alice, usd(`a${round}@example.net`, 70_00))
    await expectRefusal(await send(alice, usd(`b${round}@example.net`, 70_00)), 'insufficient_funds')
    await expectRefusal(await send(alice, usd(bob.customer.email, 70_00)), 'insufficient_funds')
  })

  test('stores no link token in the database', async () => {
    await alice.fund(100_00)
    const pendingTransfer = await sendMoney(alice, usd('+44 7700 900888', 70_00))
    const token = new URL(await claimLink(alice, pendingTransfer)).searchParams.get('token')
    const { rows } = await server.deps.pool.query('SELECT to_json(c)::text AS claim FROM bank.claim c')
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})

async function claimLink(sender: TestPerson, { id }: Transaction): Promise<string> {
  const answer = await sender.browser.get(`/api/v1/transactions/${id}`)
  const { claim } = (await answer.json()) as TransactionDetail
  return claim?.url ?? ''
}
