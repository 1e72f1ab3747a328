import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AccountDetails } from '#contract/account-details.ts'
import type { Transaction } from '#contract/accounts.ts'
import type { Mandate } from '#contract/direct-debits.ts'
import type { LinkedAccounts } from '#contract/linked-accounts.ts'
import { lineNamed } from '#contract/line-texts.ts'
import { type Jobs, startJobs } from '#server/platform/jobs/worker.ts'
import { openSampleCustomer } from '#server/sample/sample-customer.ts'
import type { Browser } from '#server/test/browser.ts'
import { auditTestBooks, expectRefusal } from '#server/test/people.ts'
import { moveSampleDate } from '#server/test/move-date.ts'
import { testServer, type TestServer } from '#server/test/server.ts'

const BALANCE_MINOR = 12_458_50

let server: TestServer
let jobs: Jobs
let ann: Browser

beforeAll(async () => {
  server = await testServer({ clock: 'database', openCustomer: openSampleCustomer })
  jobs = await startJobs(server.deps)
})
afterAll(async () => {
  await jobs.stop()
  await auditTestBooks(server)
  await server.close()
})
beforeEach(async () => {
  ann = await server.visitor()
})

const read = async <Body>(path: string) => (await (await ann.get(`/api/v1${path}`)).json()) as Body
const post = (path: string, body?: unknown, key: string = randomUUID()) => ann.post(`/api/v1${path}`, body, { key })
const mandates = async () => (await read<{ mandates: Mandate[] }>('/mandates')).mandates
const availableMinor = async () =>
  (await read<{ account: { availableMinor: number } }>('/dashboard')).account.availableMinor

test('the sample history has the card and the accounts of the specification, and the mandates behind its bills', async () => {
  const { accounts, payouts } = await read<LinkedAccounts>('/linked-accounts')
  expect(accounts.map(({ kind, status }) => [kind, status])).toEqual([
    ['card', 'verified'],
    ['wallet', 'verified'],
    ['payment_service', 'verified'],
  ])
  expect(accounts[0]).toMatchObject({ lastFour: expect.stringMatching(/^\d{4}$/), expiresOn: '2028-12-31' })
  expect(payouts).toBe('business_days')
  expect(await mandates()).toMatchObject([
    {
      billerName: 'Brightwater Energy',
      status: 'active',
      upcoming: [{ amountMinor: 145_00, dueOn: '2026-09-08' }],
      past: [{ amountMinor: 145_00, dueOn: '2026-08-05' }, {}, {}, {}, {}, {}],
    },
    { billerName: 'Fernline Broadband', upcoming: [{ amountMinor: 65_00, dueOn: '2026-09-14' }] },
  ])
  // Only direct debits of the last eight weeks can be claimed back.
  const claimable = (await mandates()).flatMap(({ past }) => past).filter(({ claimableUntil }) => claimableUntil)
  expect(claimable.map(({ dueOn }) => dueOn)).toEqual(['2026-08-05', '2026-07-05', '2026-08-12', '2026-07-12'])
  expect((await post(`/direct-debits/${claimable[0]?.id}/claim-back`)).status).toBe(200)
  expect(await availableMinor()).toBe(BALANCE_MINOR + 145_00)
})

describe('a biller', () => {
  test('requests a mandate once per key, and collects under an approved one', async () => {
    const key = randomUUID()
    const responses = await Promise.all([1, 2, 3].map(async () => (await post('/sample/mandates', {}, key)).text()))
    expect(new Set(responses).size).toBe(1)
    const [requestedMandate, ...otherMandates] = await mandates()
    expect(requestedMandate).toMatchObject({
      status: 'requested',
      billerName: JSON.parse(responses[0] ?? '').billerName,
    })
    expect(otherMandates.some(({ status }) => status === 'requested')).toBe(false)
    const { mandate } = await (await post(`/mandates/${requestedMandate?.id}/decision`, { decision: 'approve' })).json()
    expect(mandate).toMatchObject({ status: 'active', upcoming: [{ status: 'announced' }] })
  })

  test('collects today, each once and no more, and not without a mandate', async () => {
    const availableBefore = await availableMinor()
    const key = randomUUID()
    const answers = await Promise.all([1, 2, 3].map(async () => (await post('/sample/direct-debits', {}, key)).text()))
    expect(new Set(answers).size).toBe(1)
    const first = JSON.parse(answers[0] ?? '')
    expect(first).toMatchObject({ status: 'collected', dueOn: '2026-08-28' })
    expect(await availableMinor()).toBe(availableBefore - first.amountMinor)
    expect((await post('/sample/direct-debits')).status).toBe(200)
    await expectRefusal(await post('/sample/direct-debits'), 'debit_repeated')
    for (const { id } of await mandates()) await ann.post(`/api/v1/mandates/${id}/cancel`)
    await expectRefusal(await post('/sample/direct-debits'), 'mandate_not_active')
    expect(await availableMinor()).toBe(availableBefore - 210_00)
  })
})

test('another bank shows the deposits for the verification of an account, and returns a withdrawal', async () => {
  await expectRefusal(await post('/sample/payout-returns'), 'payout_missing')
  const numbers = { routingNumber: '011000015', accountNumber: '98765432' }
  const { account } = await (
    await post('/linked-accounts', { bankName: 'Harbor Bank', holderName: 'Ann Lee', ...numbers })
  ).json()
  const { arrivals } = await read<{ arrivals: { amountMinor: number; kind: string; lastFour: string }[] }>(
    '/sample/other-banks',
  )
  expect(arrivals).toMatchObject([
    { kind: 'deposit', lastFour: '5432' },
    { kind: 'deposit', lastFour: '5432' },
  ])
  const [firstMinor, secondMinor] = arrivals.map(({ amountMinor }) => amountMinor)
  const amounts = { firstMinor, secondMinor }
  expect((await post(`/linked-accounts/${account.id}/verification`, amounts)).status).toBe(200)
  const payout = await post(`/linked-accounts/${account.id}/payouts`, { amountMinor: 100_00, asset: 'USD' })
  expect(payout.status).toBe(200)
  expect(await availableMinor()).toBe(BALANCE_MINOR - 100_00)
  const key = randomUUID()
  const returned = await Promise.all([1, 2, 3].map(async () => (await post('/sample/payout-returns', {}, key)).json()))
  for (const transfer of returned) expect(transfer).toMatchObject({ name: 'Harbor Bank', amountMinor: 100_00 })
  expect(await availableMinor()).toBe(BALANCE_MINOR)
  await expectRefusal(await post('/sample/payout-returns'), 'payout_missing')
})

test('moving the date forward by a month collects the month’s bills, and announces the next', async () => {
  await moveSampleDate(server, ann, { months: 1 })
  // One percent of the card payments of August is paid back on the first of the month.
  await expect.poll(availableMinor).toBe(BALANCE_MINOR - 210_00 + 12_90)
  expect((await mandates()).map(({ upcoming }) => upcoming.map(({ dueOn }) => dueOn))).toEqual([
    ['2026-10-05'],
    ['2026-10-13'],
  ])
})

describe('a payment from another bank', () => {
  const numberOf = async (visitor: Browser) => {
    const answer = await visitor.get('/api/v1/account-details')
    return ((await answer.json()) as { details: AccountDetails }).details.accountNumber
  }
  const paysIn = (body: object, key?: string) => post('/sample/transfers', body, key)

  test('is credited once for every customer', async () => {
    const ben = await server.visitor()
    const key = randomUUID()
    const body = { payerName: 'Rosa Lind', amountMinor: 25_00, reference: 'Rent', accountNumber: await numberOf(ann) }
    for (const answer of [await paysIn(body, key), await paysIn(body, key)])
      expect(await answer.json()).toEqual({ sentBack: null })
    expect(await availableMinor()).toBe(BALANCE_MINOR + 25_00)
    const { transactions } = await read<{ transactions: Transaction[] }>('/transactions')
    expect(transactions[0]).toMatchObject({ name: lineNamed('Rosa Lind'), note: 'Rent', amountMinor: 25_00 })
    await expectRefusal(await paysIn({ ...body, amountMinor: 1 }, key), 'idempotency_key_reused')
    await paysIn({ ...body, accountNumber: await numberOf(ben) })
    expect(await availableMinor()).toBe(BALANCE_MINOR + 25_00)
  })

  test('is returned if the account is unknown or the number is wrong', async () => {
    const right = await numberOf(ann)
    const wrongNumber = right.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
    const pays = async (accountNumber: string) =>
      (await paysIn({ payerName: 'Rosa Lind', amountMinor: 25_00, accountNumber })).json()
    expect(await pays(wrongNumber)).toEqual({ sentBack: 'account_number_invalid' })
    expect(await pays("'; --")).toEqual({ sentBack: 'account_number_invalid' })
    expect(await availableMinor()).toBe(BALANCE_MINOR)
    await expect
      .poll(async () => {
        const { rows } = await server.deps.pool.query(
          "SELECT count(*)::int AS held FROM bank.incoming_transfer WHERE status = 'held'",
        )
        return rows[0].held as number
      })
      .toBe(0)
  })

  test('is refused without a name, an amount or a number', async () => {
    const body = { payerName: 'Rosa Lind', amountMinor: 25_00, accountNumber: await numberOf(ann) }
    for (const amountMinor of [0, -25_00, 1.5, '2500', Number.MAX_SAFE_INTEGER])
      await expectRefusal(await paysIn({ ...body, amountMinor }), 'amount_invalid', 'amountMinor')
    for (const payerName of ['', ' ', 'a\0b', 'x'.repeat(81)])
      await expectRefusal(await paysIn({ ...body, payerName }), 'request_invalid', 'payerName')
    for (const accountNumber of ['', ' ', '1\0x', 'x'.repeat(41)])
      await expectRefusal(await paysIn({ ...body, accountNumber }), 'request_invalid', 'accountNumber')
    await expectRefusal(await paysIn({ ...body, asset: 'EUR' }), 'request_invalid', 'asset')
  })

  test('can be taken back once by its bank, even after the money is spent', async () => {
    await expectRefusal(await post('/sample/transfer-recalls'), 'transfer_missing')
    await paysIn({ payerName: 'Rosa Lind', amountMinor: 20_000_00, accountNumber: await numberOf(ann) })
    const spend = { recipient: 'nobody@example.com', amountMinor: BALANCE_MINOR + 20_000_00, asset: 'USD' }
    expect((await post('/transfers', spend)).status).toBe(200)
    const key = randomUUID()
    for (const answer of [
      await post('/sample/transfer-recalls', {}, key),
      await post('/sample/transfer-recalls', {}, key),
    ])
      expect(await answer.json()).toEqual({ name: 'Rosa Lind', amountMinor: 20_000_00, asset: 'USD' })
    expect(await availableMinor()).toBe(0)
    const { owed } = await read<{ owed: object[] }>('/dashboard')
    expect(owed).toMatchObject([{ cause: 'transfer_recalled', name: 'Rosa Lind' }])
    await expectRefusal(await post('/sample/transfer-recalls'), 'transfer_missing')
  })
})
