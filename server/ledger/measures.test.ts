import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { bankAccount } from '#server/ledger/chart.ts'
import { measureLedger } from '#server/ledger/measures.ts'
import { commitWithRetries } from '#server/ledger/commit-with-retries.ts'
import type { BookedLeg, PostingOutcome } from '#server/ledger/types.ts'
import { openPrometheus, type Prometheus } from '#server/platform/telemetry/prometheus.ts'

let prometheus: Prometheus
beforeEach(() => {
  prometheus = openPrometheus(pino({ level: 'silent' }))
})

const series = async (name: string) =>
  (await prometheus.text()).split('\n').filter((line) => line.startsWith(`${name}{`))

test.each([
  ['40001', 'conflict'],
  ['ECONNRESET', 'unavailable'],
  ['55P03', 'lock'],
  ['22003', 'apart'],
  // A patient item only waits for the lock again, which does not mean that the database is down.
  ['55P03', 'lock', true],
])('a batch that failed by %s is counted as retried because of "%s"', async (code, reason, isPatient = false) => {
  let tries = 0
  await commitWithRetries(['one', 'other'], {
    async commit() {
      tries += 1
      if (tries === 1) throw Object.assign(new Error(code), { code })
    },
    reject: (item) => expect.unreachable(item),
    isPatient,
    again: measureLedger(prometheus).queue('posts').again,
  })
  expect(await series('alder_ledger_retries_total')).toEqual([`alder_ledger_retries_total{reason="${reason}"} 1`])
})

const CUSTOMER = 1_234
const [ACQUIRING, FEES] = [bankAccount('card_acquiring'), bankAccount('fees')]

const leg = (debit: number, credit: number, amountMinor: number) =>
  ({ debit, credit, amountMinor, asset: 'USD' }) as BookedLeg
const booked = (replayed: boolean, ...legs: BookedLeg[]): PostingOutcome => ({
  ok: true,
  booked: { id: '', kind: 'x', bookedAt: new Date(), legs, replayed },
})

test('money between customers and the bank is counted once', async () => {
  measureLedger(prometheus).decided([
    booked(false, leg(ACQUIRING, CUSTOMER, 80_00), leg(CUSTOMER, FEES, 1_00), leg(CUSTOMER, 5_678, 20_00)),
    booked(false, leg(ACQUIRING, FEES, 3_00), leg(CUSTOMER, FEES, 50)),
    booked(true, leg(ACQUIRING, CUSTOMER, 80_00)),
    { ok: false, refusal: 'insufficient_funds', replayed: false },
    { ok: false, refusal: 'insufficient_funds', replayed: true },
  ])
  expect((await series('alder_money_moved_minor_total')).toSorted()).toEqual([
    'alder_money_moved_minor_total{account="card_acquiring",direction="to_customers",asset="USD"} 8000',
    'alder_money_moved_minor_total{account="fees",direction="from_customers",asset="USD"} 150',
  ])
  expect(await series('alder_ledger_refusals_total')).toEqual([
    'alder_ledger_refusals_total{code="insufficient_funds"} 1',
  ])
})
