import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Asset, formatAmount } from '#contract/money.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { runOn, type Run } from '#server/platform/db/run.ts'
import { accountsById, openAccounts, setAccountStatus } from '#server/ledger/accounts.ts'
import { auditBooks } from '#server/ledger/audit.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { createLedger } from '#server/ledger/ledger.ts'
import { purgeRefusals, REFUSAL_KEPT_MS } from '#server/ledger/refusals.ts'
import type { AccountId, Ledger, Leg, Operation, PostingOutcome } from '#server/ledger/types.ts'
import { bookAsBefore, type TestLedger, testLedger } from '#server/test/ledger.ts'
import { testDatabase, type TestDatabase } from '#server/test/database.ts'
import { tries } from '../../scripts/test-effort.ts'

let database: TestDatabase
let pool: pg.Pool
let run: Run
let ledger: Ledger
let closeProved: TestLedger['closeProved']

beforeAll(async () => {
  ;({ database, pool, run, ledger, closeProved } = await testLedger())
})
afterAll(() => closeProved())

const CLEARING = bankAccount('ach_clearing')

function operation(legs: Leg[], more: Partial<Operation> = {}): Operation {
  const id = randomUUID()
  return { id, kind: 'test', fingerprint: id, bookedAt: new Date(0), legs, ...more }
}

function transfer(debit: AccountId, credit: AccountId, amountMinor: number): Leg {
  return { kind: 'transfer', debit, credit, amountMinor }
}

async function open(count: number, fundedMinor = 0, asset: Asset = 'USD'): Promise<AccountId[]> {
  const holders = Array.from({ length: count }, () => ({ holderId: randomUUID(), code: 'current', asset }) as const)
  const ids = await openAccounts(run, holders)
  if (fundedMinor > 0) await ledger.postAll(ids.map((id) => operation([transfer(CLEARING, id, fundedMinor)])))
  return ids
}

async function balanceOf(id: AccountId): Promise<number> {
  return (await accountsById(run, [id]))[0]?.balanceMinor ?? Number.NaN
}

function codeOf(outcome: PostingOutcome | undefined): string {
  if (!outcome) return 'no answer'
  return outcome.ok ? 'booked' : outcome.refusal
}

/** A minimal model of the ledger: balances, held amounts and past steps. It contains no versions and no SQL. */
class Purse {
  has: number[]
  held: number[]
  entries: number[]
  holds = new Map<string, { from: number; to: number; amount: number; open: boolean }>()
  done = new Map<string, { body: string; answer: string }>()
  moves = new Map<string, [from: number, to: number, amount: number][]>()
  undone = new Set<string>()
  constructor(start: number[]) {
    this.has = [...start]
    this.held = start.map(() => 0)
    this.entries = start.map(() => 0)
  }

  do(step: Step): string {
    const before = this.done.get(step.id)
    const body = JSON.stringify(step.body)
    if (before) return before.body === body ? before.answer : 'idempotency_key_reused'
    const answer = this.attempt(step)
    if (answer !== 'not_found') this.done.set(step.id, { body, answer })
    return answer
  }

  private attempt({ id, body }: Step): string {
    const moves: [number, number, number][] = []
    let freed: { from: number; amount: number; key: string } | null = null
    let newHold: { from: number; to: number; amount: number } | null = null
    if (body.do === 'transfer') moves.push(...body.moves)
    else if (body.do === 'hold') newHold = body
    else if (body.do === 'reverse') {
      const original = this.moves.get(body.of)
      if (!original || original.length === 0) return 'not_found'
      if (this.undone.has(body.of)) return 'already_reversed'
      moves.push(...original.toReversed().map(([from, to, amount]): [number, number, number] => [to, from, amount]))
    } else {
      const hold = this.holds.get(body.of)
      if (!hold) return 'not_found'
      const amount = body.do === 'void' ? 0 : (body.amount ?? hold.amount)
      const beyond = body.do === 'post' ? (body.beyond ?? 0) : 0
      if (amount > hold.amount + beyond) return 'hold_amount_exceeded'
      if (!hold.open) return 'hold_not_open'
      freed = { from: hold.from, amount: hold.amount, key: body.of }
      if (amount > 0) moves.push([hold.from, hold.to, amount])
    }
    const has = [...this.has]
    const reserved = [...this.held]
    if (freed) reserved[freed.from] = (reserved[freed.from] ?? 0) - freed.amount
    for (const [from, to, amount] of moves) {
      has[from] = (has[from] ?? 0) - amount
      has[to] = (has[to] ?? 0) + amount
      if (from !== BANK && (has[from] ?? 0) - (reserved[from] ?? 0) < 0) return 'insufficient_funds'
    }
    if (newHold) {
      reserved[newHold.from] = (reserved[newHold.from] ?? 0) + newHold.amount
      if (newHold.from !== BANK && (has[newHold.from] ?? 0) - (reserved[newHold.from] ?? 0) < 0)
        return 'insufficient_funds'
      this.holds.set(id, { ...newHold, open: true })
    }
    const hold = freed && this.holds.get(freed.key)
    if (freed && hold) this.holds.set(freed.key, { ...hold, open: false })
    if (body.do === 'reverse') this.undone.add(body.of)
    for (const [from, to] of moves) {
      this.entries[from] = (this.entries[from] ?? 0) + 1
      this.entries[to] = (this.entries[to] ?? 0) + 1
    }
    this.moves.set(id, moves)
    this.has = has
    this.held = reserved
    return 'booked'
  }
}

const BANK = 0
const PEOPLE = 3

type Body =
  | { do: 'transfer'; moves: [from: number, to: number, amount: number][] }
  | { do: 'hold'; from: number; to: number; amount: number }
  | { do: 'post'; of: string; amount?: number; beyond?: number }
  | { do: 'void'; of: string }
  | { do: 'reverse'; of: string }
type Step = { id: string; body: Body }

/** Generators of steps. `nth` picks among the steps so far, so that most references are valid. */
const place = fc.integer({ min: 0, max: PEOPLE })
const amount = fc.integer({ min: 1, max: 120 })
const move = fc
  .tuple(place, place, amount)
  .map(([from, to, size]): [number, number, number] => [from, to === from ? (to + 1) % (PEOPLE + 1) : to, size])
const nth = fc.nat(30)
const draft = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('transfer' as const),
      moves: fc.array(move, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('hold' as const), move }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('post' as const),
      nth,
      part: fc.option(amount),
      beyond: fc.option(fc.nat(60)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('void' as const), nth }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reverse' as const), nth }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replay' as const), nth }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('tamper' as const), nth, move }) },
)
type Draft = typeof draft extends fc.Arbitrary<infer Value> ? Value : never

function toSteps(drafts: Draft[]): Step[] {
  const steps: Step[] = []
  const holds: string[] = []
  const otherIds: string[] = []
  const pick = (list: string[], index: number): string => list[index % Math.max(1, list.length)] ?? randomUUID()
  for (const draftStep of drafts) {
    const id = randomUUID()
    const earlier = 'nth' in draftStep && steps.length > 0 ? steps[draftStep.nth % steps.length] : undefined
    if (draftStep.do === 'transfer') steps.push({ id, body: { do: 'transfer', moves: draftStep.moves } })
    else if (draftStep.do === 'hold') {
      const [from, to, size] = draftStep.move
      steps.push({ id, body: { do: 'hold', from, to, amount: size } })
    } else if (draftStep.do === 'post') {
      steps.push({
        id,
        body: {
          do: 'post',
          of: pick(holds, draftStep.nth),
          ...(draftStep.part === null ? {} : { amount: draftStep.part }),
          ...(draftStep.beyond === null ? {} : { beyond: draftStep.beyond }),
        },
      })
    } else if (draftStep.do === 'void') steps.push({ id, body: { do: 'void', of: pick(holds, draftStep.nth) } })
    else if (draftStep.do === 'reverse') steps.push({ id, body: { do: 'reverse', of: pick(otherIds, draftStep.nth) } })
    else if (draftStep.do === 'replay' && earlier) steps.push(earlier)
    else if (draftStep.do === 'tamper' && earlier)
      steps.push({ id: earlier.id, body: { do: 'transfer', moves: [draftStep.move, draftStep.move] } })
    if (draftStep.do === 'hold') holds.push(id)
    else if (draftStep.do === 'transfer' || draftStep.do === 'post') otherIds.push(id)
  }
  return steps
}

function toOperation({ id, body }: Step, accounts: AccountId[]): Operation {
  const accountAt = (index: number): AccountId => accounts[index] ?? 0
  const fingerprint = Buffer.from(JSON.stringify(body)).toString('base64url').slice(0, 180)
  const common = { id, kind: 'test', fingerprint, bookedAt: new Date(0) }
  switch (body.do) {
    case 'transfer':
      return { ...common, legs: body.moves.map(([from, to, size]) => transfer(accountAt(from), accountAt(to), size)) }
    case 'hold':
      return {
        ...common,
        legs: [{ kind: 'hold', debit: accountAt(body.from), credit: accountAt(body.to), amountMinor: body.amount }],
      }
    case 'post':
      return {
        ...common,
        legs: [
          {
            kind: 'post',
            holdId: body.of,
            ...(body.amount ? { amountMinor: body.amount } : {}),
            ...(body.beyond === undefined ? {} : { beyondMinor: body.beyond }),
          },
        ],
      }
    case 'void':
      return { ...common, legs: [{ kind: 'void', holdId: body.of }] }
    case 'reverse':
      return { ...common, legs: [], reverses: body.of }
  }
}

test(
  'any sequence of posts, holds, reversals and replays matches the simplest model',
  { timeout: 600_000 },
  async () => {
    const start = [0, 100, 50, 0]
    // Each cut ends a batch. Two related steps may thus share a commit, be in consecutive commits, or be far apart.
    const property = fc.asyncProperty(
      fc.array(draft, { minLength: 1, maxLength: 14 }),
      fc.array(fc.nat(4), { maxLength: 6 }),
      async (drafts, cuts) => {
        const people = await open(PEOPLE)
        const accounts = [CLEARING, ...people]
        await ledger.postAll(
          people.flatMap((id, index) =>
            start[index + 1] ? [operation([transfer(CLEARING, id, start[index + 1] ?? 0)])] : [],
          ),
        )
        const before = await accountsById(run, people)
        const purse = new Purse(start)
        const steps = toSteps(drafts)
        const answers: string[] = []
        for (let from = 0, turn = 0; from < steps.length; turn += 1) {
          const to = from + 1 + (cuts[turn % Math.max(1, cuts.length)] ?? 14)
          const outcomes = await ledger.postAll(steps.slice(from, to).map((step) => toOperation(step, accounts)))
          answers.push(...outcomes.map(codeOf))
          from = to
        }
        expect(answers).toEqual(steps.map((step) => purse.do(step)))
        const after = await accountsById(run, people)
        expect(after.map((account) => account.balanceMinor)).toEqual(purse.has.slice(1))
        expect(after.map((account) => account.heldMinor)).toEqual(purse.held.slice(1))
        expect(after.map((account, index) => account.version - (before[index]?.version ?? 0))).toEqual(
          purse.entries.slice(1),
        )
      },
    )
    await fc.assert(property, { numRuns: tries(2_000) })
  },
)

test('of 200 parallel sends of a full balance exactly one succeeds, for each of 20 accounts', async () => {
  const senders = await open(20, 100_00)
  const [receiver = 0] = await open(1)
  const outcomes = await Promise.all(
    senders.flatMap((sender) =>
      Array.from({ length: 200 }, async () => {
        const [outcome] = await ledger.postAll([operation([transfer(sender, receiver, 100_00)])])
        return { sender, answer: codeOf(outcome) }
      }),
    ),
  )
  for (const sender of senders) {
    const answers = outcomes.filter((outcome) => outcome.sender === sender).map((outcome) => outcome.answer)
    expect(answers.filter((answer) => answer === 'booked')).toHaveLength(1)
    expect(answers.filter((answer) => answer === 'insufficient_funds')).toHaveLength(199)
    expect(await balanceOf(sender)).toBe(0)
  }
  expect(await balanceOf(receiver)).toBe(20 * 100_00)
})

test('the same id 100 times in parallel, through two ledgers, is one transfer with one response', async () => {
  const [from = 0, to = 0] = await open(2, 100_00)
  const other = createLedger({ url: database.appUrl })
  const repeated = operation([transfer(from, to, 30_00)])
  const booked = await Promise.all(
    Array.from({ length: 100 }, (_, turn) => (turn % 2 ? ledger : other).post({ ...repeated })),
  )
  await other.close()
  expect(await balanceOf(from)).toBe(70_00)
  expect(booked.filter((result) => !result.replayed)).toHaveLength(1)
  const [first] = booked
  for (const result of booked) expect({ ...result, replayed: true }).toEqual({ ...first, replayed: true })
})

test('the same id with another body is refused and writes nothing', async () => {
  const [from = 0, to = 0] = await open(2, 100_00)
  const first = operation([transfer(from, to, 30_00)])
  await ledger.post(first)
  const changed = { ...first, fingerprint: 'another', legs: [transfer(from, to, 31_00)] }
  await expect(ledger.post(changed)).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  await expect(ledger.find(first.id, 'another')).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  expect(await balanceOf(from)).toBe(70_00)
  expect(await ledger.find(first.id, first.fingerprint)).toMatchObject({ id: first.id, replayed: true })
})

test('a refusal is stored: the same id is refused again even if the money has arrived', async () => {
  const [from = 0, to = 0] = await open(2)
  const early = operation([transfer(from, to, 10_00)])
  await expect(ledger.post(early)).rejects.toMatchObject({ code: 'insufficient_funds' })
  await ledger.post(operation([transfer(CLEARING, from, 50_00)]))
  await expect(ledger.post(early)).rejects.toMatchObject({ code: 'insufficient_funds' })
  await expect(ledger.find(early.id, early.fingerprint)).rejects.toMatchObject({ code: 'insufficient_funds' })
  expect(await balanceOf(to)).toBe(0)
})

test('a dry run books nothing, blocks nothing, and is refused and stored like a post', async () => {
  const [from, to] = (await open(2, 100)) as [AccountId, AccountId]
  const whole = Array.from({ length: 40 }, () => operation([transfer(from, to, 100)]))
  const holds = Array.from({ length: 40 }, () =>
    operation([{ kind: 'hold', debit: from, credit: CLEARING, amountMinor: 100 }]),
  )
  const tried = await Promise.allSettled([...whole, ...holds].map((one) => ledger.tryOut(one)))
  expect(tried.map(({ status }) => status)).toEqual(Array.from({ length: 80 }, () => 'fulfilled'))
  expect([await balanceOf(from), await balanceOf(to)]).toEqual([100, 100])
  // One batch with holds before and after the one that takes everything.
  const [firstOperation] = whole as [Operation]
  const [lateHold, ...otherHolds] = holds as [Operation, ...Operation[]]
  await Promise.all([...otherHolds.map((hold) => ledger.tryOut(hold)), ledger.post(firstOperation)])
  expect([await balanceOf(from), await balanceOf(to)]).toEqual([0, 200])
  await expect(ledger.tryOut(lateHold)).rejects.toMatchObject({ code: 'insufficient_funds' })
  await ledger.post(operation([transfer(CLEARING, from, 100)]))
  await expect(ledger.post(lateHold)).rejects.toMatchObject({ code: 'insufficient_funds' })
  await expect(ledger.tryOut({ ...firstOperation, fingerprint: 'another' })).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  })
  await ledger.tryOut(firstOperation)
  expect([await balanceOf(from), await balanceOf(to)]).toEqual([100, 200])
})

test('32 clients that send between A and B, through two ledgers and open transactions, have no deadlock', async () => {
  const [a = 0, b = 0] = await open(2, 1_000_00)
  const other = createLedger({ url: database.appUrl })
  const within = openPool(database.appUrl, { max: 8 })
  await Promise.all(
    Array.from({ length: 32 }, async (_, client) => {
      for (let turn = 0; turn < 20; turn += 1) {
        const send = operation([client % 2 ? transfer(a, b, 1) : transfer(b, a, 1)])
        if (client % 4 === 0) await inOwnTransaction(within, send)
        else await (client % 3 ? ledger : other).post(send)
      }
    }),
  )
  await Promise.all([other.close(), within.end()])
  expect((await balanceOf(a)) + (await balanceOf(b))).toBe(2_000_00)
})

async function inOwnTransaction(ownPool: pg.Pool, send: Operation): Promise<void> {
  const client = await ownPool.connect()
  try {
    await client.query('BEGIN')
    await ledger.postWithin(runOn(client), [send])
    await client.query('COMMIT')
  } finally {
    client.release()
  }
}

test('within a caller’s transaction, operations are decided separately: one refusal does not affect others', async () => {
  const [from = 0, to = 0] = await open(2, 100_00)
  const client = await pool.connect()
  const sends = [60_00, 60_00, 40_00].map((size) => operation([transfer(from, to, size)]))
  try {
    await client.query('BEGIN')
    const outcomes = await ledger.postAllWithin(runOn(client), sends)
    expect(outcomes.map(codeOf)).toEqual(['booked', 'insufficient_funds', 'booked'])
    await client.query('COMMIT')
  } finally {
    client.release()
  }
  expect(await balanceOf(from)).toBe(0)
})

test('with one connection no operation hangs', async () => {
  const narrow = createLedger({ url: database.appUrl, lanes: 1, batchSize: 3 })
  const accounts = await open(6, 100_00)
  const sends = accounts.flatMap((from) =>
    accounts.filter((to) => to !== from).map((to) => operation([transfer(from, to, 1)])),
  )
  const booked = await Promise.all(sends.map((send) => narrow.post(send)))
  expect(booked).toHaveLength(30)
  await narrow.close()
})

test('amounts that are not whole, positive and exact are refused before any write', async () => {
  const [from = 0, to = 0] = await open(2, 100_00)
  for (const bad of [0, -1, 0.001, 1.5, Number.NaN, Number.POSITIVE_INFINITY, -0]) {
    await expect(ledger.post(operation([transfer(from, to, bad)]))).rejects.toMatchObject({
      code: expect.stringMatching(/^amount_/) as string,
    })
  }
  await expect(ledger.post(operation([transfer(from, to, 2 ** 53)]))).rejects.toMatchObject({
    code: 'amount_too_large',
  })
  await expect(ledger.post(operation([transfer(from, from, 1)]))).rejects.toMatchObject({ code: 'recipient_is_self' })
})

const MAX_MINOR = Number.MAX_SAFE_INTEGER

test('a customer’s account holds at most the largest exact number, including incoming holds', async () => {
  const [from = 0, to = 0] = await open(2, 100_00)
  const outcomes = await ledger.postAll([
    operation([transfer(CLEARING, from, MAX_MINOR - 100_00)]),
    operation([transfer(CLEARING, from, 1)]),
    operation([{ kind: 'hold', debit: CLEARING, credit: from, amountMinor: 1 }]),
    operation([transfer(from, to, 1)]),
    operation([{ kind: 'hold', debit: CLEARING, credit: from, amountMinor: 1 }]),
    operation([transfer(CLEARING, from, 1)]),
    operation([transfer(from, CLEARING, MAX_MINOR - 1)]),
  ])
  const no = 'balance_limit_reached'
  expect(outcomes.map(codeOf)).toEqual(['booked', no, no, 'booked', 'booked', no, 'booked'])
  expect(await balanceOf(from)).toBe(0)
})

test('a ceiling is enforced under the lock: of 50 incoming transfers and holds, as many succeed as fit', async () => {
  const capped = createLedger({ url: database.appUrl, ceilings: { USD: 10_00 } })
  const [from = 0, to = 0] = await open(2, 100_00)
  const [points = 0] = await open(1, 0, 'POINTS')
  await capped.postAll([operation([transfer(to, CLEARING, 100_00)])])
  const first = operation([{ kind: 'hold', debit: from, credit: to, amountMinor: 1_00 }])
  const answers = await Promise.all(
    [
      first,
      ...Array.from({ length: 49 }, (_, turn) =>
        operation([{ kind: turn % 2 ? 'transfer' : 'hold', debit: from, credit: to, amountMinor: 1_00 }]),
      ),
    ].map(async (one) => codeOf((await capped.postAll([one]))[0])),
  )
  expect(answers.filter((answer) => answer === 'booked')).toHaveLength(10)
  expect(answers.filter((answer) => answer === 'balance_limit_reached')).toHaveLength(40)
  expect(answers[0]).toBe('booked')
  // A hold is still posted above the ceiling, and another asset has its own ceiling.
  await capped.post(operation([{ kind: 'post', holdId: first.id }]))
  await capped.post(operation([transfer(bankAccount('points_issued', 'POINTS'), points, 10_01)]))
  const out = operation([transfer(to, from, 5_00)])
  await expect(capped.post(out)).rejects.toMatchObject({ code: 'balance_limit_reached' })
  await ledger.post(operation([transfer(to, CLEARING, 1_00)]))
  await capped.post(operation([transfer(from, to, 1_00)]))
  await expect(capped.post(operation([transfer(from, to, 1)]))).rejects.toMatchObject({ code: 'balance_limit_reached' })
  await capped.close()
})

test('the bank’s own accounts hold more than all customers together, to the cent, and no customer can block one', async () => {
  const accountId = bankAccount('card_acquiring')
  const other = bankAccount('wallet_clearing')
  const size = fc.oneof(
    fc.integer({ min: 1, max: MAX_MINOR }),
    fc.integer({ min: MAX_MINOR - 3, max: MAX_MINOR }),
    fc.integer({ min: 1, max: 3 }),
  )
  const lineOf = async (code: string) => {
    const { trialBalance, problems } = await auditBooks(run)
    expect(problems).toEqual([])
    return trialBalance.find((line) => line.code === code && line.owner === 'bank')
  }
  const before = await Promise.all([lineOf('card_acquiring'), lineOf('wallet_clearing')])
  let [debitMinor, creditMinor, heldMinor] = [
    before[0]?.debitMinor ?? 0n,
    before[1]?.creditMinor ?? 0n,
    before[0]?.heldMinor ?? 0n,
  ]
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(size, fc.boolean()), { minLength: 1, maxLength: 20 }), async (moves) => {
      const people = await open(moves.length)
      const holds = moves.map(([amountMinor]) =>
        operation([{ kind: 'hold', debit: accountId, credit: other, amountMinor }]),
      )
      const operations = moves.flatMap(([amountMinor, out], index) => [
        operation([transfer(accountId, people[index] ?? 0, amountMinor)]),
        ...(out ? [operation([transfer(people[index] ?? 0, other, amountMinor)])] : []),
      ])
      const outcomes = await ledger.postAll([...operations, ...holds])
      expect(outcomes.every(({ ok }) => ok)).toBe(true)
      for (const [amountMinor, out] of moves) {
        debitMinor += BigInt(amountMinor)
        heldMinor += BigInt(amountMinor)
        if (out) creditMinor += BigInt(amountMinor)
      }
      const [first, back] = [operations[0], outcomes[0]]
      const stored = first && (await ledger.find(first.id, first.fingerprint))
      expect(stored?.legs).toEqual(back?.ok ? back.booked.legs : null)
    }),
    { numRuns: 25 },
  )
  expect(debitMinor).toBeGreaterThan(BigInt(MAX_MINOR) * 8n)
  expect(await lineOf('card_acquiring')).toMatchObject({ debitMinor, heldMinor })
  expect(await lineOf('wallet_clearing')).toMatchObject({ creditMinor })
  expect(formatAmount(debitMinor, 'USD')).toBe(
    `$${Intl.NumberFormat('en-US').format(debitMinor / 100n)}.${String(debitMinor % 100n).padStart(2, '0')}`,
  )
})

test('an id that the bank derives is refused without its source, for every caller', async () => {
  const [from = 0, to = 0] = await open(2, 100_00)
  const cause = randomUUID()
  const follows = { ...operation([transfer(from, to, 1)]), ...derivedIdentity('payments', cause, 'expire') }
  const { derivedFrom, ...stolen } = follows
  expect(derivedFrom.causeId).toBe(cause)
  await expect(ledger.post(stolen)).rejects.toMatchObject({ code: 'idempotency_key_reserved' })
  await expect(
    ledger.post({ ...follows, ...derivedIdentity('payments', cause, 'settle'), id: follows.id }),
  ).rejects.toThrow(TypeError)
  await expect(ledger.post({ ...follows, id: randomUUID() })).rejects.toThrow(TypeError)
  expect(await ledger.find(follows.id, follows.fingerprint)).toBeNull()
  expect((await ledger.post(follows)).replayed).toBe(false)
  expect((await ledger.post(follows)).replayed).toBe(true)
})

test('operations applied before ids named the slice are not applied again, and do not belong to another slice', async () => {
  const [from = 0, to = 0] = await open(2, 100_00)
  const cause = randomUUID()
  const step = (slice: string, fingerprint: string): Operation => ({
    ...operation([transfer(from, to, 1_00)]),
    ...derivedIdentity(slice, cause, 'take_back'),
    fingerprint,
  })
  const first = step('investing', 'a')
  const before = await bookAsBefore(pool, first)
  expect(await ledger.post(first)).toMatchObject({ id: before, replayed: true })
  const other = step('disputes', 'b')
  const [again, fresh, once] = await ledger.postAll([first, other, other])
  expect(again).toMatchObject({ ok: true, booked: { id: before, replayed: true } })
  expect(fresh).toMatchObject({ ok: true, booked: { id: other.id, replayed: false } })
  expect(once).toMatchObject({ ok: true, booked: { id: other.id, replayed: true } })
  expect(await balanceOf(from)).toBe(98_00)
})

test('a refusal is deleted after its time, and an applied operation stays permanently', async () => {
  const [from = 0, to = 0] = await open(2)
  const operations = Array.from({ length: 3 }, () => operation([transfer(from, to, 1_00)]))
  const applied = operation([transfer(CLEARING, from, 1_00)])
  await ledger.postAll([...operations, applied])
  const [early = applied, other = applied] = operations
  await ledger.remember(applied, 'account_frozen')
  expect(await ledger.find(applied.id, applied.fingerprint)).toMatchObject({ id: applied.id })
  await expect(ledger.post({ ...early, fingerprint: 'another' })).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  })
  expect(await purgeRefusals(run, new Date(Date.now() - REFUSAL_KEPT_MS))).toBe(0)
  await expect(ledger.post(early)).rejects.toMatchObject({ code: 'insufficient_funds' })
  expect(await purgeRefusals(run, new Date(Date.now() + 60_000))).toBeGreaterThanOrEqual(3)
  expect(await ledger.find(early.id, early.fingerprint)).toBeNull()
  expect((await ledger.post(early)).replayed).toBe(false)
  await expect(ledger.post(other)).rejects.toMatchObject({ code: 'insufficient_funds' })
  expect((await ledger.post(applied)).replayed).toBe(true)
})

test('assets are separate, unknown accounts are not found, frozen ones only receive, and closed ones do not change', async () => {
  const [dollars = 0, friend = 0] = await open(2, 100_00)
  const [points = 0] = await open(1, 0, 'POINTS')
  const refusal = async (debit: AccountId, credit: AccountId): Promise<string> =>
    codeOf((await ledger.postAll([operation([transfer(debit, credit, 1)])]))[0])
  expect(await refusal(dollars, points)).toBe('asset_mismatch')
  expect(await refusal(dollars, 999)).toBe('not_found')
  const hold = operation([{ kind: 'hold', debit: dollars, credit: friend, amountMinor: 5 }])
  await ledger.post(hold)
  await setAccountStatus(run, dollars, 'frozen')
  expect(await refusal(dollars, friend)).toBe('account_frozen')
  expect(await refusal(friend, dollars)).toBe('booked')
  await ledger.post(operation([{ kind: 'post', holdId: hold.id }]))
  await setAccountStatus(run, dollars, 'closed')
  expect(await refusal(friend, dollars)).toBe('account_closed')
  expect(await refusal(dollars, friend)).toBe('account_closed')
})

test('one operation that the database refuses affects no other in its commit', async () => {
  const [from = 0, to = 0] = await open(2, 100_00)
  const bad = operation([{ ...transfer(from, to, 1), detail: { note: 'nul \u0000 byte' } }])
  const good = (): Operation => operation([transfer(from, to, 1)])
  const results = await Promise.allSettled([good(), bad, good(), good(), good(), good()].map((one) => ledger.post(one)))
  expect(results.map((result) => result.status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ])
  expect(await balanceOf(to)).toBe(100_05)
})

test('displayed texts are stored unchanged', async () => {
  const [from = 0, to = 0] = await open(2, 100_00)
  const detail = {
    debitName: 'Zoë "Quote" \\ O’Hara, {brace} NULL',
    creditName: 'null',
    category: 'transfer' as const,
    method: 'debit_card' as const,
    params: { lastFour: '4821', odd: 'a"b\\c, {d} NULL' },
    label: 'top_up.card' as const,
    note: '🌳 line\nbreak, comma',
    settlesAt: new Date('2026-09-01T12:00:00.000Z'),
  }
  const twoTransfers = operation([{ ...transfer(from, to, 1), detail }, transfer(from, to, 2)])
  await ledger.post(twoTransfers)
  const booked = await ledger.find(twoTransfers.id, twoTransfers.fingerprint)
  expect(booked?.legs.map((leg) => leg.detail)).toEqual([detail, {}])
})

test('the serving role cannot change or delete rows of the books, nor write a balance', async () => {
  const [from = 0, to = 0] = await open(2, 100_00)
  await ledger.post(operation([transfer(from, to, 1)]))
  const forbidden = [
    'UPDATE ledger.transfer SET amount_minor = amount_minor + 1',
    'DELETE FROM ledger.transfer',
    'TRUNCATE ledger.transfer',
    'UPDATE ledger.operation SET kind = kind',
    'DELETE FROM ledger.operation',
    `UPDATE ledger.account SET balance_minor = 1 WHERE id = ${from}`,
    `UPDATE ledger.account SET held_minor = 0 WHERE id = ${from}`,
    `UPDATE ledger.account SET incoming_minor = 0 WHERE id = ${from}`,
    'DELETE FROM ledger.unposted_hold',
    'UPDATE ledger.daily_flow SET in_minor = 0',
    `INSERT INTO ledger.search_block VALUES (${from}, 0, '', '')`,
    `SELECT ledger.sum_up(ARRAY[${from}], ARRAY[0], ARRAY[64])`,
    'DELETE FROM ledger.account',
    `INSERT INTO ledger.account (code, asset, floor_minor, balance_minor) VALUES ('x', 'USD', 0, 5)`,
    'CREATE TABLE ledger.mine (id int)',
    'CREATE TABLE public.mine (id int)',
    'ALTER TABLE ledger.transfer DISABLE TRIGGER ALL',
    'SET SESSION AUTHORIZATION postgres',
  ]
  for (const statement of forbidden) {
    await expect(pool.query(statement), statement).rejects.toMatchObject({ code: '42501' })
  }
})

test('the database itself refuses transfers that contradict the accounts', async () => {
  const [from = 0, to = 0] = await open(2, 100_00)
  const id = randomUUID()
  const add = (columns: Record<string, unknown>): Promise<unknown> => {
    const row = {
      operation_id: id,
      leg: 0,
      kind: 'transfer',
      asset: 'USD',
      debit_account: from,
      credit_account: to,
      amount_minor: 10,
      held_minor: 0,
      debit_version: 2,
      credit_version: 2,
      debit_balance_minor: 99_90,
      credit_balance_minor: 100_10,
      booked_at: new Date(0),
      ...columns,
    }
    const names = Object.keys(row)
    return pool.query(
      `INSERT INTO ledger.transfer (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
      Object.values(row),
    )
  }
  await expect(add({}), 'no operation').rejects.toMatchObject({ code: '23000' })
  await pool.query(`INSERT INTO ledger.operation (id, kind, fingerprint, booked_at) VALUES ($1, 'x', 'x', now())`, [id])
  await expect(add({ debit_version: 3 }), 'a gap').rejects.toMatchObject({ code: '23000' })
  await expect(add({ debit_balance_minor: 1 }), 'a wrong balance').rejects.toMatchObject({ code: '23000' })
  await expect(add({ asset: 'BTC' }), 'another asset').rejects.toMatchObject({ code: '23000' })
  await expect(add({ debit_account: 999_999_999 }), 'no account').rejects.toMatchObject({ code: '23000' })
  await expect(
    add({ amount_minor: 100_01, debit_balance_minor: -1, credit_balance_minor: 200_01 }),
    'an overdraft',
  ).rejects.toMatchObject({
    code: '23514',
    constraint: 'account_floor',
  })
  await expect(
    add({ amount_minor: -10, debit_balance_minor: 100_10, credit_balance_minor: 99_90 }),
    'a negative amount',
  ).rejects.toMatchObject({
    code: '23514',
  })
  await add({})
  expect(await balanceOf(from)).toBe(99_90)
})

test('the audit finds altered books', async () => {
  const spoiled = await testDatabase()
  const owner = openPool(spoiled.ownerUrl, { max: 1 })
  const [account = 0] = await openAccounts(runOn(owner), [{ holderId: randomUUID(), code: 'current', asset: 'USD' }])
  const spoiledLedger = createLedger({ url: spoiled.appUrl })
  await spoiledLedger.post(operation([transfer(CLEARING, account, 100)]))
  await spoiledLedger.post(operation([{ kind: 'hold', debit: account, credit: CLEARING, amountMinor: 10 }]))
  await spoiledLedger.postAll(Array.from({ length: 70 }, () => operation([transfer(CLEARING, account, 1)])))
  await spoiledLedger.close()
  expect((await auditBooks(runOn(owner))).problems).toEqual([])
  const tampering: [string, RegExp][] = [
    [`UPDATE ledger.account SET balance_minor = 101 WHERE id = ${account}`, /debits and credits differ/],
    [`UPDATE ledger.account SET version = 7 WHERE id = ${account}`, /does not follow from its entries/],
    [`UPDATE ledger.account SET held_minor = 0 WHERE id = ${account}`, /the holds and the held amounts differ/],
    [
      `UPDATE ledger.account SET incoming_minor = 9 WHERE id = ${CLEARING}`,
      /incoming amount and the open holds differ/,
    ],
    ['UPDATE ledger.unposted_hold SET open = false', /unposted hold does not follow/],
    ['DELETE FROM ledger.unposted_hold', /unposted hold does not follow/],
    ['UPDATE ledger.daily_flow SET in_minor = in_minor + 1', /sums of a day do not follow/],
    ['DELETE FROM ledger.daily_flow', /sums of a day do not follow/],
    [`UPDATE ledger.search_block SET words = 'x'`, /search index does not follow/],
    ['DELETE FROM ledger.search_block', /search index does not follow/],
    [
      'ALTER TABLE ledger.transfer DISABLE TRIGGER USER; UPDATE ledger.transfer SET credit_version = 99 WHERE credit_version = 1',
      /from the one before/,
    ],
    [
      'ALTER TABLE ledger.transfer DISABLE TRIGGER USER; DELETE FROM ledger.transfer',
      /operation and its transfers disagree/,
    ],
  ]
  for (const [statement, problem] of tampering) {
    await owner.query('BEGIN')
    await owner.query(statement)
    expect((await auditBooks(runOn(owner))).problems.join('\n'), statement).toMatch(problem)
    await owner.query('ROLLBACK')
  }
  await owner.end()
  await spoiled.drop()
})

test('a locked account delays no other posts, and its own posts get a retry response', async () => {
  const accounts = await open(8, 100_00)
  const [stuckAccount = 0, ...otherAccounts] = accounts
  const keeper = await pool.connect()
  await keeper.query('BEGIN')
  await keeper.query('SELECT 1 FROM ledger.account WHERE id = $1 FOR UPDATE', [stuckAccount])
  const start = performance.now()
  const blocked = ledger.post(operation([transfer(stuckAccount, CLEARING, 1)])).catch((error: unknown) => error)
  const otherResults = await Promise.all(
    otherAccounts.slice(1).map((from) => ledger.post(operation([transfer(from, otherAccounts[0] ?? 0, 1)]))),
  )
  expect(otherResults).toHaveLength(6)
  expect(performance.now() - start).toBeLessThan(3_000)
  expect(await blocked).toMatchObject({ code: 'unavailable' })
  await keeper.query('ROLLBACK')
  keeper.release()
  await ledger.post(operation([transfer(stuckAccount, CLEARING, 1)]))
  expect(await balanceOf(stuckAccount)).toBe(99_99)
})

test('an operation in two assets cannot hide one from the accounts of the other', async () => {
  const [from = 0, to = 0] = await open(2, 100_00)
  const id = randomUUID()
  const client = await pool.connect()
  await client.query('BEGIN')
  await client.query(`INSERT INTO ledger.operation (id, kind, fingerprint, booked_at) VALUES ($1, 'x', 'x', now())`, [
    id,
  ])
  const insert = client.query(
    `INSERT INTO ledger.transfer (operation_id, leg, kind, asset, debit_account, credit_account, amount_minor, held_minor,
       debit_version, credit_version, debit_balance_minor, credit_balance_minor, booked_at)
     VALUES ($1, 0, 'transfer', 'USD', $2, $3, 10, 0, 2, 2, 9990, 10010, now()),
            ($1, 1, 'transfer', 'BTC', $2, $3, 10, 0, 3, 3, 9980, 10020, now())`,
    [id, from, to],
  )
  await expect(insert).rejects.toMatchObject({ code: '23000' })
  await client.query('ROLLBACK')
  client.release()
})

test('a transfer through several accounts is reversed along the same path', async () => {
  const [from = 0, between = 0, to = 0] = await open(3)
  await ledger.post(operation([transfer(CLEARING, from, 50)]))
  const chain = operation([transfer(from, between, 50), transfer(between, to, 50)])
  await ledger.post(chain)
  await ledger.post(operation([], { reverses: chain.id }))
  expect([await balanceOf(from), await balanceOf(between), await balanceOf(to)]).toEqual([50, 0, 0])
})
