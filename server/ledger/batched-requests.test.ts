import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Refusal } from '#contract/errors.ts'
import { accountsById, openAccounts } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import type {
  AccountId,
  Ledger,
  Operation,
  RequestDecision,
  BatchedRequestKind,
  BatchedRequests,
} from '#server/ledger/types.ts'
import { insertRows } from '#server/platform/db/statement.ts'
import { type Run, runIn } from '#server/platform/db/run.ts'
import { type TestLedger, testLedger } from '#server/test/ledger.ts'
import { recordedStatements } from '#server/test/recorded-statements.ts'
import { tries } from '../../scripts/test-effort.ts'

let run: Run
let ledger: Ledger
let closeProved: TestLedger['closeProved']
let database: TestLedger['database']

beforeAll(async () => {
  ;({ database, run, ledger, closeProved } = await testLedger())
})
afterAll(() => closeProved())

const CLEARING = bankAccount('ach_clearing')

/**
 * A note that makes a payment. The note is stored once, together with its payment, in the table of the card scheme's messages.
 */
type Note = {
  name: string
  account: AccountId
  amountMinor: number
  /** The step that fails: the decision, the end after the ledger's booking, the write, or a crash. */
  fails?: 'decided' | 'ended' | 'written' | 'crashed'
}
type StoredNote = { name: string; outcome: string }

function operationOf({ account, amountMinor }: Note): Operation {
  const id = randomUUID()
  const legs = [{ kind: 'transfer' as const, debit: account, credit: CLEARING, amountMinor }]
  return { id, kind: 'note.pay', fingerprint: 'note', bookedAt: new Date(0), legs }
}

const NOTES: BatchedRequestKind<Note, ReadonlySet<string>, StoredNote & { fails: Note['fails'] }, string> = {
  namesOf: ({ name }) => [name],
  async read(trx, requests) {
    const names = requests.map(({ name }) => name)
    const rows = await trx.selectFrom('bank.card_message').select('id').where('id', 'in', names).execute()
    return new Set(rows.map(({ id }) => id))
  },
  decide(earlierNote, note): RequestDecision<StoredNote & { fails: Note['fails'] }, string> {
    const { name, fails } = note
    if (earlierNote.has(name)) return { end: () => ({ answer: 'known' }) }
    if (fails === 'decided') throw new Refusal('not_found')
    if (fails === 'crashed') throw new Error('a fault of the slice')
    return {
      operation: operationOf(note),
      end(outcome) {
        if (fails === 'ended') throw new Refusal('not_found')
        const answer = outcome?.ok ? 'paid' : (outcome?.refusal ?? 'nothing')
        return { answer, change: { name, outcome: answer, fails } }
      },
    }
  },
  write: (changes) =>
    insertRows(
      'bank.card_message',
      changes.map(({ name, outcome, fails }) => ({
        id: name,
        // PostgreSQL refuses the row, because a digest is never that short.
        digest: Buffer.alloc(fails === 'written' ? 0 : 32),
        answer: { outcome },
        received_at: fails === 'written' ? ('never' as never) : new Date(0),
      })),
    ),
}

async function open(fundedMinor: number): Promise<AccountId> {
  const [id = 0] = await openAccounts(run, [{ holderId: randomUUID(), code: 'current', asset: 'USD' }])
  const legs = [{ kind: 'transfer' as const, debit: CLEARING, credit: id, amountMinor: fundedMinor }]
  await ledger.post({ id: randomUUID(), kind: 'test', fingerprint: 'fund', bookedAt: new Date(0), legs })
  return id
}

const balanceOf = async (id: AccountId) => (await accountsById(run, [id]))[0]?.balanceMinor
async function readStoredAnswers(names: readonly string[]): Promise<Map<string, unknown>> {
  const { rows } = await run('SELECT id, answer FROM bank.card_message WHERE id = ANY($1)', [names])
  return new Map(rows.map((row) => [row['id'] as string, (row['answer'] as { outcome: unknown }).outcome]))
}

const settled = async (submit: BatchedRequests<Note, string>, note: Note): Promise<string> =>
  submit(note).catch((error: unknown) => (error instanceof Refusal ? error.code : 'a fault'))

test('a batch has the same outcome as its requests in sequence, including failing ones', async () => {
  const submit = ledger.openBatchedRequests(NOTES)
  const note = fc.record(
    {
      who: fc.nat({ max: 2 }),
      name: fc.nat({ max: 8 }),
      amountMinor: fc.integer({ min: 1, max: 60_00 }),
      fails: fc.constantFrom('decided' as const, 'ended' as const, 'written' as const, 'crashed' as const),
    },
    { requiredKeys: ['who', 'name', 'amountMinor'] },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(note, { minLength: 1, maxLength: 24 }), async (sentNotes) => {
      const doAll = async (each: (notes: Note[]) => Promise<string[]>) => {
        const accounts = await Promise.all([100_00, 100_00, 100_00].map(open))
        const prefix = randomUUID().slice(0, 8)
        const notes = sentNotes.map(({ who, name, ...rest }) => ({
          ...rest,
          name: `${prefix}.${name}`,
          account: accounts[who] ?? 0,
        }))
        const answers = await each(notes)
        const names = [...new Set(notes.map(({ name }) => name))].toSorted()
        const storedAnswers = await readStoredAnswers(names)
        return {
          answers,
          balances: await Promise.all(accounts.map(balanceOf)),
          kept: names.map((name) => storedAnswers.get(name)),
        }
      }
      // Notes with the same name run in their order, and other notes run in batches. The result must equal a sequential run in
      // that order.
      const batches = batchesOf(sentNotes.map(({ name }) => name))
      const alone = await doAll(async (notes) => {
        const answers = Array.from<string>({ length: notes.length })
        for (const batch of batches)
          for (const index of batch) answers[index] = await settled(submit, notes[index] as Note)
        return answers
      })
      const together = await doAll((notes) => Promise.all(notes.map((one) => settled(submit, one))))
      const isInOrder = !sentNotes.some(isParting)
      expect(isInOrder ? together : alone).toEqual(alone)
      expectSomeOrder(sentNotes, together, alone)
    }),
    { numRuns: tries(250) },
  )
})

/** Whether a note makes its batch fail. The notes of the batch then run alone, at the same time and in no fixed order. */
const isParting = ({ fails }: Pick<Note, 'fails'>): boolean => fails !== undefined && fails !== 'decided'

type Outcome = { answers: string[]; balances: (number | undefined)[]; kept: unknown[] }

/**
 * Expects that the payments were decided in some order. A balance is reduced by the paid amounts. A refused payment is larger
 * even than the final balance.
 */
function expectSomeOrder(
  payments: readonly { who: number; amountMinor: number }[],
  { answers, balances, kept: keptOutcomes }: Outcome,
  alone: Outcome,
): void {
  const carriedOut = (answer: unknown) => (answer === 'insufficient_funds' ? 'paid' : answer)
  expect(answers.map(carriedOut)).toEqual(alone.answers.map(carriedOut))
  expect(keptOutcomes.map(carriedOut)).toEqual(alone.kept.map(carriedOut))
  expect(keptOutcomes.filter((outcome) => outcome === 'paid')).toHaveLength(
    answers.filter((outcome) => outcome === 'paid').length,
  )
  for (const [account, balanceMinor = 0] of balances.entries()) {
    const notesOfAccount = payments
      .map((note, place) => ({ ...note, answer: answers[place] }))
      .filter(({ who }) => who === account)
    const paid = notesOfAccount
      .filter(({ answer }) => answer === 'paid')
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0)
    expect(balanceMinor).toBe(100_00 - paid)
    for (const { answer, amountMinor } of notesOfAccount)
      if (answer === 'insufficient_funds') expect(amountMinor).toBeGreaterThan(balanceMinor)
  }
}

/** Returns the indexes of the notes that are decided together. A note with the name of an earlier one waits. */
function batchesOf(names: readonly number[]): number[][] {
  const batches: number[][] = []
  const next = new Map<number, number>()
  for (const [place, name] of names.entries()) {
    const at = next.get(name) ?? 0
    next.set(name, at + 1)
    ;(batches[at] ??= []).push(place)
  }
  return batches
}

test('a failing request fails alone, and leaves no data', async () => {
  const submit = ledger.openBatchedRequests(NOTES)
  const account = await open(100_00)
  const prefix = randomUUID().slice(0, 8)
  const notes = ['decided', 'ended', 'written', 'crashed', undefined, undefined].map((fails, place): Note => ({
    name: `${prefix}.${place}`,
    account,
    amountMinor: 10_00,
    ...(fails === undefined ? {} : { fails: fails as NonNullable<Note['fails']> }),
  }))
  const answers = await Promise.all(notes.map((note) => settled(submit, note)))
  expect(answers).toEqual(['not_found', 'not_found', 'a fault', 'a fault', 'paid', 'paid'])
  expect(await balanceOf(account)).toBe(80_00)
  expect([...(await readStoredAnswers(notes.map(({ name }) => name))).keys()].toSorted()).toEqual([
    `${prefix}.4`,
    `${prefix}.5`,
  ])
})

test('simultaneous requests share a commit', async () => {
  const submit = ledger.openBatchedRequests(NOTES)
  const account = await open(100_00)
  const statements = await recordedStatements(async () => {
    const notes = Array.from({ length: 40 }, () => ({ name: randomUUID(), account, amountMinor: 1_00 }))
    await Promise.all(notes.map(submit))
  })
  expect(statements.filter(({ text }) => text === 'COMMIT')).toHaveLength(1)
  expect(await balanceOf(account)).toBe(60_00)
})

test('a connection lost at the commit duplicates no request and leaves none without a response', async () => {
  const submit = ledger.openBatchedRequests(NOTES)
  const account = await open(100_00)
  const notes = Array.from({ length: 8 }, () => ({ name: randomUUID(), account, amountMinor: 1_00 }))
  let lost = 0
  const original = pg.Client.prototype.query
  pg.Client.prototype.query = function cut(this: pg.Client, ...args: unknown[]) {
    const [query] = args as [{ text?: string }]
    const answer = Reflect.apply(original, this, args) as never
    if (query.text === 'COMMIT' && lost < 2) {
      lost += 1
      // The first COMMIT is cut off before it reaches the database, the second one afterwards.
      const cutOff = () => this.connection.stream.destroy()
      if (lost === 1) cutOff()
      else setTimeout(cutOff, 100)
    }
    return answer
  }
  try {
    const answers = await Promise.all(notes.map((note) => settled(submit, note)))
    expect(new Set(answers.map((answer) => (answer === 'known' ? 'paid' : answer)))).toEqual(new Set(['paid']))
  } finally {
    pg.Client.prototype.query = original
  }
  expect(lost).toBeGreaterThan(0)
  expect(await balanceOf(account)).toBe(92_00)
  expect((await readStoredAnswers(notes.map(({ name }) => name))).size).toBe(8)
})

test('a request that waits for a lock does not delay later ones', async () => {
  const submit = ledger.openBatchedRequests<{ name: string }, null, never, string>({
    namesOf: ({ name }) => [name],
    async read(trx, requests) {
      if (requests.some(({ name }) => name === 'held up'))
        await trx.selectFrom('bank.points_sweep').select('id').forNoKeyUpdate().execute()
      return null
    },
    decide: () => ({ end: () => ({ answer: 'done' }) }),
  })
  const name = 'held up'
  const holder = new pg.Client({ connectionString: database.ownerUrl })
  await holder.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT FROM bank.points_sweep FOR UPDATE')
  const heldRequest = submit({ name }).catch((error: unknown) => (error as Refusal).code)
  const otherRequest = submit({ name: 'another' })
  // Both requests are in one batch, which waits one second for the lock. Then each request runs alone.
  expect(await otherRequest).toBe('done')
  let isOver = false
  void heldRequest.then(() => (isOver = true))
  expect(await submit({ name: 'a later one' })).toBe('done')
  expect(isOver).toBe(false)
  expect(await heldRequest).toBe('unavailable')
  await holder.query('ROLLBACK')
  await holder.end()
  expect(await submit({ name })).toBe('done')
})

test('a request that needs more than its batch has locked runs separately, and delays no others', async () => {
  const account = await open(100_00)
  const operation = () => operationOf({ name: '', account, amountMinor: 60_00 })
  let isHeld = true
  const submit = ledger.openBatchedRequests<{ name: string }, null, never, string>({
    namesOf: ({ name }) => [name],
    read: () => Promise.resolve(null),
    decide: (_, { name }) => {
      const decision = { end: () => ({ answer: 'done' }) }
      if (!name.startsWith('apart')) return decision
      return {
        async apart(trx) {
          const before = (await accountsById(runIn(trx), [account]))[0]?.balanceMinor
          while (isHeld) await new Promise((resolve) => setTimeout(resolve, 5))
          if (name === 'apart, refused') throw new Refusal('not_found')
          const end: RequestDecision<never, string>['end'] = (outcome) => ({ answer: `${before} ${outcome?.ok}` })
          return { operation: operation(), end }
        },
      }
    },
  })
  const separateNote = submit({ name: 'apart' })
  const refused = submit({ name: 'apart, refused' }).catch((error: unknown) => (error as Refusal).code)
  expect(await submit({ name: 'another' })).toBe('done')
  expect(await submit({ name: 'another' })).toBe('done')
  // A request with the name of a request that runs alone waits.
  let isNext = false
  const next = submit({ name: 'apart' }).finally(() => {
    isNext = true
  })
  expect(await submit({ name: 'a later one' })).toBe('done')
  expect(isNext).toBe(false)
  isHeld = false
  expect(await Promise.all([separateNote, refused, next])).toEqual(['10000 true', 'not_found', '4000 false'])
  expect(await balanceOf(account)).toBe(40_00)
})

test('a late statement is not sent outside of its transaction', async () => {
  let late: Promise<unknown> = Promise.resolve()
  const { promise: isAnswered, resolve: answered } = Promise.withResolvers<void>()
  const submit = ledger.openBatchedRequests<string, null, never, string>({
    namesOf: (name) => [name],
    async read(trx) {
      // A query without `await`, left running by mistake.
      late = isAnswered.then(() => trx.deleteFrom('bank.card_message').execute())
      late.catch(() => undefined)
      return Promise.resolve(null)
    },
    decide: () => ({ end: () => ({ answer: 'done' }) }),
    write: () => [],
  })
  expect(await submit('one')).toBe('done')
  answered()
  await expect(late).rejects.toThrow('The SQL transaction has ended')
})

/** A payment with a row of its own, unless it fails: while it is made, in `also`, or by a crash after the booking. */
type Paying = { who: number; amountMinor: number; fails?: 'made' | 'also' | 'crashed' | undefined }

test('operations with their own rows have the same outcome together as alone, even if some fail', async () => {
  const paying = fc.record({
    who: fc.nat({ max: 3 }),
    amountMinor: fc.integer({ min: 1, max: 60_00 }),
    fails: fc.option(fc.constantFrom('made' as const, 'also' as const, 'crashed' as const), {
      nil: undefined,
      freq: 4,
    }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(paying, { minLength: 1, maxLength: 16 }), async (payments) => {
      const doAll = async (each: (work: (() => Promise<string>)[]) => Promise<string[]>) => {
        const accounts = await Promise.all(
          [100_00, 100_00, 50_00, 0].map((minor) => (minor > 0 ? open(minor) : open(1))),
        )
        const customers = accounts.map(() => randomUUID())
        const names: string[] = payments.map(() => randomUUID())
        const answers = await each(payments.map((payment, place) => () => pay(payment, place)))
        async function pay({ who: holder, amountMinor, fails }: Paying, place: number): Promise<string> {
          const operation = operationOf({ name: '', account: accounts[holder] ?? 0, amountMinor })
          const id = names[place] ?? ''
          const posted = ledger.postWithRows({
            customerId: customers[holder] ?? '',
            async operation(trx) {
              await trx.selectFrom('bank.card_message').select('id').where('id', '=', id).execute()
              if (fails === 'made') throw new Refusal('not_found')
              return operation
            },
            async also(trx, booked) {
              const row = { id, digest: Buffer.alloc(32), answer: '{}', received_at: booked.bookedAt }
              await trx.insertInto('bank.card_message').values(row).execute()
              if (fails === 'also') throw new Refusal('too_many_requests')
              if (fails === 'crashed') throw new Error('a fault of the slice')
            },
          })
          return posted.then(
            ({ id: booked }) => (booked === operation.id ? 'paid' : 'another'),
            (error: unknown) => (error instanceof Refusal ? error.code : 'a fault'),
          )
        }
        const { rows } = await run('SELECT id FROM bank.card_message WHERE id = ANY($1)', [names])
        const positions = rows.map((row) => names.indexOf(row['id'] as string)).toSorted((a, b) => a - b)
        return { answers, kept: positions, balances: await Promise.all(accounts.map(balanceOf)) }
      }
      const alone = await doAll(async (work) => {
        const answers: string[] = []
        for (const task of work) answers.push(await task())
        return answers
      })
      const together = await doAll((work) => Promise.all(work.map((task) => task())))
      expect(together).toEqual(alone)
    }),
    { numRuns: tries(150) },
  )
})
