import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CarbonCertificate, CarbonFootprint } from '#contract/carbon.ts'
import { GRAM_STEP, OFFSET_MINOR_PER_KG, offsetPriceMinor } from '#contract/carbon-terms.ts'
import type { Category } from '#contract/categories.ts'
import { certificateNumberOf } from '#server/accounts/identifiers.ts'
import { setAccountStatus } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { runOn } from '#server/platform/db/run.ts'
import { testClock } from '#server/test/bank.ts'
import { bookCardPayment } from '#server/test/card-payment.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
const clock = { ...testClock(START), realNow: () => START }
let server: PeopleServer
let people = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})
beforeEach(() => clock.set(START))

async function somebody(cents = 10_000_00, targetServer = server): Promise<TestPerson> {
  people += 1
  const person = await targetServer.person({ fullName: `Person ${people}`, email: `carbon.${people}@example.com` })
  if (cents > 0) await person.fund(cents)
  return person
}

/** Books a card payment in a category, or a refund if the amount is negative. */
async function spend(
  person: TestPerson,
  category: Category,
  amountMinor: number,
  targetServer = server,
): Promise<void> {
  await bookCardPayment(targetServer, person, {
    amountMinor,
    bookedAt: targetServer.deps.clock.businessNow(),
    detail: { creditName: 'A Shop', category },
  })
}

/** Books the sample history's spending of August, which emits 123 kg. */
async function spendAsInTheStory(person: TestPerson): Promise<void> {
  await spend(person, 'transport', 210_00)
  await spend(person, 'shopping', 380_00)
  await spend(person, 'food', 520_00)
  await spend(person, 'bills', 210_00)
  await spend(person, 'entertainment', 180_00)
}

const readFootprint = async ({ browser }: TestPerson, month?: string): Promise<CarbonFootprint> =>
  (await browser.get(`/api/v1/carbon${month === undefined ? '' : `?month=${month}`}`)).json()
const AUGUST = { month: '2026-08', grams: 123_000, amountMinor: 18_45, asset: 'USD' }
const offset = ({ browser }: TestPerson, body: unknown = AUGUST, key: string = randomUUID()) =>
  browser.post('/api/v1/carbon/offsets', body, { key })
const certificates = async ({ browser }: TestPerson, query = '') =>
  (await (await browser.get(`/api/v1/carbon/certificates${query}`)).json()) as {
    certificates: CarbonCertificate[]
    nextCursor: string | null
  }
const owedMinor = async (): Promise<number> => {
  const { rows } = await runOn(server.deps.pool)('SELECT balance_minor FROM ledger.account WHERE id = $1', [
    bankAccount('carbon_offsets'),
  ])
  return Number(rows[0]?.['balance_minor'])
}

describe('the price', () => {
  const steps = fc.integer({ min: 1, max: 1_000_000 }).map((count) => count * GRAM_STEP)

  test('is 15 cents a kilogram: $18.45 for 123 kg', () => {
    expect(offsetPriceMinor(123_000)).toBe(18_45)
    expect(offsetPriceMinor(1_000)).toBe(OFFSET_MINOR_PER_KG)
  })

  test('of parts adds up to that of the whole, and each part has a price', () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 1, maxLength: 20 }), (parts) => {
        let before = 0
        let paidMinor = 0
        for (const part of parts) {
          const price = offsetPriceMinor(part, before)
          expect(price).toBeGreaterThan(0)
          before += part
          paidMinor += price
        }
        expect(paidMinor).toBe(offsetPriceMinor(before))
        // The total price differs from the exact one by at most half a cent. Both sides are in thousandths of a cent.
        expect(Math.abs(paidMinor * 1000 - before * OFFSET_MINOR_PER_KG)).toBeLessThanOrEqual(500)
      }),
    )
  })
})

describe('the footprint', () => {
  test('of the sample history is 45 + 32 + 28 + 18 = 123 kg, with the share of each category', async () => {
    const ann = await somebody()
    await spendAsInTheStory(ann)
    const footprint = await readFootprint(ann)
    expect(footprint.categories.map(({ category, grams, percent }) => [category, grams, percent])).toEqual([
      ['transport', 45_000, 36],
      ['shopping', 32_000, 26],
      ['food', 28_000, 23],
      ['energy', 18_000, 15],
    ])
    expect(footprint.categories.map(({ spentMinor, gramsPerDollar }) => [spentMinor, gramsPerDollar])).toEqual([
      [210_00, 214],
      [380_00, 84],
      [520_00, 54],
      [210_00, 86],
    ])
    const { grams: remainingGrams, amountMinor, asset } = AUGUST
    expect(footprint).toMatchObject({ month: '2026-08', months: ['2026-08'], grams: 123_000, offsetGrams: 0 })
    expect(footprint).toMatchObject({ offset: { grams: remainingGrams, amountMinor, asset }, offsetBy: 'sample' })
  })

  test('of a customer without spending is zero, with nothing to offset', async () => {
    const ann = await somebody()
    expect(await readFootprint(ann)).toMatchObject({ months: ['2026-08'], grams: 0, offset: null })
    expect((await readFootprint(ann)).categories.map(({ grams, percent }) => [grams, percent])).toEqual(
      Array.from({ length: 4 }, () => [0, 0]),
    )
    await expectRefusal(await offset(ann, { ...AUGUST, grams: 100, amountMinor: 2 }), 'footprint_offset')
  })

  test('is a sum of tenths of a kilogram for any spending, and a refund subtracts its part', async () => {
    const ann = await somebody()
    await spend(ann, 'food', 12_34)
    await spend(ann, 'transport', 9_99)
    // The exact values are 2.141 kg and 0.664 kg.
    expect((await readFootprint(ann)).categories.map(({ grams }) => grams)).toEqual([2_100, 0, 700, 0])
    await spend(ann, 'transport', -10_99)
    const footprint = await readFootprint(ann)
    expect(footprint.categories[0]).toMatchObject({ grams: 0, spentMinor: -1_00, percent: 0 })
    expect(footprint.grams).toBe(700)
  })

  test('of each month is separate, from the first month with emissions on, for at most twelve months', async () => {
    const ann = await somebody()
    clock.set(new Date('2025-06-10T12:00:00Z'))
    await spend(ann, 'transport', 210_00)
    clock.set(new Date('2026-02-28T23:59:59Z'))
    await spend(ann, 'transport', 21_00)
    clock.set(new Date('2026-03-01T00:00:00Z'))
    await spend(ann, 'transport', 42_00)
    expect((await readFootprint(ann)).months).toHaveLength(10)
    clock.set(START)
    const months = ['02', '03', '04', '05', '06', '07', '08'].map((number) => `2026-${number}`)
    expect(await readFootprint(ann)).toMatchObject({ month: '2026-08', grams: 0, months })
    expect(await readFootprint(ann, '2026-02')).toMatchObject({ month: '2026-02', grams: 4_500 })
    expect(await readFootprint(ann, '2026-03')).toMatchObject({
      grams: 9_000,
      offset: { grams: 9_000, amountMinor: 1_35 },
    })
    for (const month of ['2025-06', '2026-01', '2026-09']) {
      await expectRefusal(await ann.browser.get(`/api/v1/carbon?month=${month}`), 'month_invalid', 'month')
      await expectRefusal(await offset(ann, { ...AUGUST, month }), 'month_invalid', 'month')
    }
    for (const month of ['', 'august', '2026-8', '2026-13', '2026-08-01', '0000-00'])
      await expectRefusal(await ann.browser.get(`/api/v1/carbon?month=${month}`), 'request_invalid', 'month')
  })
})

describe('offsetting', () => {
  test('charges the price in one operation, and keeps a certificate with a permanent number', async () => {
    const ann = await somebody()
    await spendAsInTheStory(ann)
    const [balance, owed] = [await ann.balanceMinor(), await owedMinor()]
    const key = randomUUID()
    const answer = await offset(ann, AUGUST, key)
    expect(answer.status).toBe(200)
    const certificate = (await answer.json()) as CarbonCertificate
    expect(certificate).toEqual({
      id: key,
      number: certificateNumberOf(key),
      ...AUGUST,
      isSample: true,
      offsetAt: START.toISOString(),
    })
    expect(certificate.number).toMatch(/^CO2[0-9A-HJKMNP-TV-Z]{9}$/)
    expect(await ann.balanceMinor()).toBe(balance - 18_45)
    expect(await owedMinor()).toBe(owed + 18_45)
    expect((await ann.transactions())[0]).toMatchObject({
      name: { code: 'carbon.offset' },
      amountMinor: -18_45,
      category: 'offset',
    })
    // The offset payment emits nothing and sends one notice.
    expect(await readFootprint(ann)).toMatchObject({ grams: 123_000, offsetGrams: 123_000, offset: null })
    const { notices } = await (await ann.browser.get('/api/v1/notifications')).json()
    expect(notices).toMatchObject([
      { kind: 'carbon_offset', params: { grams: 123_000, amountMinor: 18_45, certificate: certificate.number } },
    ])
    expect((await certificates(ann)).certificates).toEqual([certificate])
    await auditTestBooks(server)
  })

  test('the same month again is refused, and later spending is offset as the remainder', async () => {
    const ann = await somebody()
    await spendAsInTheStory(ann)
    await offset(ann)
    const before = await auditTestBooks(server)
    await expectRefusal(await offset(ann), 'footprint_offset')
    expect(await auditTestBooks(server)).toEqual(before)
    await spend(ann, 'transport', 7_00)
    const { offset: remainingOffset } = await readFootprint(ann)
    expect(remainingOffset).toEqual({ grams: 1_500, amountMinor: 23, asset: 'USD' })
    await expectRefusal(await offset(ann), 'price_changed', 'grams')
    const answer = await offset(ann, { month: '2026-08', ...remainingOffset })
    expect(await answer.json()).toMatchObject({ grams: 1_500, amountMinor: 23 })
    expect(await readFootprint(ann)).toMatchObject({ grams: 124_500, offsetGrams: 124_500, offset: null })
    expect((await certificates(ann)).certificates.map(({ grams }) => grams)).toEqual([1_500, 123_000])
    // After a refund more is offset than was emitted, so nothing is left to offset.
    await spend(ann, 'transport', -100_00)
    expect((await readFootprint(ann)).offset).toBeNull()
    await expectRefusal(await offset(ann, { ...AUGUST, grams: 100, amountMinor: 2 }), 'footprint_offset')
  })

  test('spending after the customer’s last look does not change the price they saw', async () => {
    const ann = await somebody()
    await spendAsInTheStory(ann)
    await spend(ann, 'food', 50_00)
    expect((await offset(ann)).status).toBe(200)
    expect((await readFootprint(ann)).offset).toEqual({ grams: 2_700, amountMinor: 41, asset: 'USD' })
  })

  test('twelve simultaneous requests offset the month once', async () => {
    const ann = await somebody()
    await spendAsInTheStory(ann)
    const balance = await ann.balanceMinor()
    const answers = await Promise.all(Array.from({ length: 12 }, () => offset(ann)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(11).fill(409)])
    expect(await ann.balanceMinor()).toBe(balance - 18_45)
    expect((await certificates(ann)).certificates).toHaveLength(1)
  })

  test('a repeated request gets the same answer, at the same moment and on a later day', async () => {
    const ann = await somebody()
    await spendAsInTheStory(ann)
    const key = randomUUID()
    const balance = await ann.balanceMinor()
    const answers = await Promise.all([offset(ann, AUGUST, key), offset(ann, AUGUST, key), offset(ann, AUGUST, key)])
    const [first, ...otherAnswers] = await Promise.all(answers.map((answer) => answer.json()))
    expect(first).toMatchObject(AUGUST)
    for (const other of otherAnswers) expect(other).toEqual(first)
    clock.set(new Date('2027-12-01T12:00:00Z'))
    expect(await (await offset(ann, AUGUST, key)).json()).toEqual(first)
    expect(await ann.balanceMinor()).toBe(balance - 18_45)
    await expectRefusal(await offset(ann, { ...AUGUST, grams: 100, amountMinor: 2 }, key), 'idempotency_key_reused')
  })

  test('in random parts and in parallel costs the price of the whole, and never offsets more than the footprint', async () => {
    const ann = await somebody()
    await spendAsInTheStory(ann)
    const balance = await ann.balanceMinor()
    let offsetGrams = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 4 }), async (parts) => {
        const expectedMonths = parts.map((steps) => {
          const grams = steps * GRAM_STEP
          return { month: '2026-08', grams, amountMinor: offsetPriceMinor(grams, offsetGrams), asset: 'USD' }
        })
        const answers = await Promise.all(expectedMonths.map((expectedMonth) => offset(ann, expectedMonth)))
        for (const answer of answers) {
          const body = await answer.json()
          if (answer.status === 200) offsetGrams += body.grams
          else expect(['price_changed', 'footprint_offset']).toContain(body.error.code)
        }
        const footprint = await readFootprint(ann)
        expect(footprint.offsetGrams).toBe(offsetGrams)
        expect(offsetGrams).toBeLessThanOrEqual(123_000)
        expect(await ann.balanceMinor()).toBe(balance - offsetPriceMinor(offsetGrams))
        expect(footprint.offset?.amountMinor ?? 0).toBe(18_45 - offsetPriceMinor(offsetGrams))
      }),
      { numRuns: 30 },
    )
    await auditTestBooks(server)
  })
})

describe('a refused request changes nothing', () => {
  async function unchanged(person: TestPerson, run: () => Promise<void>): Promise<void> {
    const before = [await auditTestBooks(server), await certificates(person), await readFootprint(person)]
    await run()
    expect([await auditTestBooks(server), await certificates(person), await readFootprint(person)]).toEqual(before)
  }

  test('for too little money', async () => {
    const ann = await somebody(1_500_00 + 18_44)
    await spendAsInTheStory(ann)
    await unchanged(ann, async () => expectRefusal(await offset(ann), 'insufficient_funds'))
    await ann.fund(1)
    expect((await offset(ann)).status).toBe(200)
    expect(await ann.balanceMinor()).toBe(0)
  })

  test('for a frozen account', async () => {
    const ann = await somebody()
    await spendAsInTheStory(ann)
    await setAccountStatus(runOn(server.deps.pool), ann.customer.currentAccountId, 'frozen')
    await unchanged(ann, async () => expectRefusal(await offset(ann), 'account_frozen'))
  })

  test('for another price, more than the footprint, and an invalid offset', async () => {
    const ann = await somebody()
    await spendAsInTheStory(ann)
    const { asset: _, ...withoutAsset } = AUGUST
    await unchanged(ann, async () => {
      for (const amountMinor of [18_44, 18_46, 1])
        await expectRefusal(await offset(ann, { ...AUGUST, amountMinor }), 'price_changed', 'amountMinor')
      await expectRefusal(
        await offset(ann, { ...AUGUST, grams: 123_100, amountMinor: 18_47 }),
        'price_changed',
        'grams',
      )
      for (const amountMinor of [0, -18_45, 18.45, '1845', null])
        await expectRefusal(await offset(ann, { ...AUGUST, amountMinor }), 'amount_invalid', 'amountMinor')
      for (const grams of [0, -100, 150, 0.5, '123000', null, 2 ** 60])
        await expectRefusal(await offset(ann, { ...AUGUST, grams }), 'request_invalid', 'grams')
      for (const month of ['2026-13', '2026-8', 8, null])
        await expectRefusal(await offset(ann, { ...AUGUST, month }), 'request_invalid', 'month')
      expect((await offset(ann, { ...AUGUST, asset: 'POINTS' })).status).toBe(400)
      expect((await offset(ann, withoutAsset)).status).toBe(400)
      expect((await offset(ann, { ...AUGUST, number: 'CO2' })).status).toBe(400)
      await expectRefusal(
        await ann.browser.send('POST', '/api/v1/carbon/offsets', JSON.stringify(AUGUST), { key: null }),
        'idempotency_key_missing',
      )
    })
  })

  test('for a live bank, which offers no offsets', async () => {
    const liveServer = await peopleServer({ config: { mode: 'live' }, clock })
    try {
      const ann = await somebody(1_000_00, liveServer)
      await spend(ann, 'transport', 210_00, liveServer)
      expect(await readFootprint(ann)).toMatchObject({ grams: 45_000, offset: null, offsetBy: null })
      liveServer.deps.policy.stepUp = 'with_two_factor'
      const before = await auditTestBooks(liveServer)
      await expectRefusal(await offset(ann, { ...AUGUST, grams: 45_000, amountMinor: 6_75 }), 'offset_unavailable')
      expect(await auditTestBooks(liveServer)).toEqual(before)
    } finally {
      await liveServer.close()
    }
  })
})

describe('certificates', () => {
  /** Creates a customer with a number of certificates of a tenth of a kilogram each. */
  async function withCertificates(count: number): Promise<TestPerson> {
    const ann = await somebody()
    await spendAsInTheStory(ann)
    for (let index = 0; index < count; index += 1) {
      const amountMinor = offsetPriceMinor(GRAM_STEP, index * GRAM_STEP)
      expect((await offset(ann, { ...AUGUST, grams: GRAM_STEP, amountMinor })).status).toBe(200)
    }
    return ann
  }

  test('are listed newest first, page by page, for their own customer only', async () => {
    const [ann, bob] = [await withCertificates(5), await somebody()]
    const allCertificates = (await certificates(ann)).certificates
    expect(new Set(allCertificates.map(({ number }) => number)).size).toBe(5)
    const paged: CarbonCertificate[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await certificates(ann, `?limit=2${cursor && `&cursor=${cursor}`}`)
      expect(page.certificates.length).toBeLessThanOrEqual(2)
      paged.push(...page.certificates)
      cursor = page.nextCursor
    }
    expect(paged).toEqual(allCertificates)
    expect((await certificates(bob)).certificates).toEqual([])
    for (const not of [randomUUID(), 'x', allCertificates[0]?.id ?? ''])
      await expectRefusal(
        await bob.browser.get(`/api/v1/carbon/certificates?cursor=${not}`),
        'cursor_invalid',
        'cursor',
      )
    for (const id of [allCertificates[0]?.id, randomUUID(), 'x'])
      await expectRefusal(await bob.browser.get(`/api/v1/carbon/certificates/${id}/pdf`), 'not_found')
  })

  test.each([
    ['en', 'Sample certificate', '123 kg'],
    ['de', 'August 2026', '123 kg'],
  ])('are available as a PDF, in %s', async (language, title, weight) => {
    const ann = await somebody()
    await ann.browser.send('PATCH', '/api/v1/preferences', JSON.stringify({ language }))
    await spendAsInTheStory(ann)
    const { id, number } = (await (await offset(ann)).json()) as CarbonCertificate
    const answer = await ann.browser.get(`/api/v1/carbon/certificates/${id}/pdf`)
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="Alder-${number}.pdf"`)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true })
    for (const phrase of [title, weight, number, ann.customer.fullName]) expect(text).toContain(phrase)
    expect(text).not.toContain('\0')
  })

  test('are in the download of all data, and are kept when the customer closes', async () => {
    const ann = await withCertificates(2)
    const allCertificates = (await certificates(ann)).certificates
    const download = await (await ann.browser.get('/api/v1/profile/export')).json()
    expect(download.carbonCertificates).toEqual(allCertificates)
    const balanceMinor = await ann.balanceMinor()
    const bob = await somebody(0)
    await ann.browser.post('/api/v1/transfers', {
      recipient: bob.customer.email,
      amountMinor: balanceMinor,
      asset: 'USD',
    })
    expect((await ann.browser.post('/api/v1/profile/closure', {})).status).toBe(204)
    const { rows } = await runOn(server.deps.pool)(
      'SELECT operation_id FROM bank.carbon_offset WHERE customer_id = $1 ORDER BY number DESC',
      [ann.customer.id],
    )
    expect(rows.map((row) => row['operation_id'])).toEqual(allCertificates.map(({ id }) => id))
    await expectRefusal(await offset(ann), 'sign_in_required')
  })
})
