import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { checkDigitsOf } from '#contract/bank-numbers.ts'
import { type Cells, runBankCommand, CELL_NAMES, openCells, randomBelow, type Victim } from './bank-cells.ts'
import {
  closeCellAccount,
  forEachAtRandom,
  linkExternal,
  linkToOtherCell,
  payToOtherCell,
  type CellCustomer,
  signUpAtCell,
} from './customers.ts'
import {
  sendInvalidMessages,
  readBalances,
  countInFlight,
  findInBooks,
  findPayments,
  type AcknowledgedPayment,
  readClearingPosition,
  sumBalances,
} from './check-payments.ts'

/*
 * `npm run test:cells` opens two live banks that pay each other through the clearing (docs/scale.md). Their customers make
 * transfers while servers, databases and the clearing are killed. The test proves that no transfer is lost or doubled. The run
 * is short without arguments. The run of docs/scale.md has these arguments:
 *   `-- --transfers 1000 --people 20 --kill-every 8`
 */

const WAGES_MINOR = 200_00
/**
 * The time limit for the last transfers, in milliseconds. Another worker repeats the work of a killed worker within a minute.
 */
const SETTLES_WITHIN_MS = 240_000
const AT_ONCE = 6

const { values } = parseArgs({
  options: {
    transfers: { type: 'string', default: '100' },
    people: { type: 'string', default: '5' },
    'kill-every': { type: 'string', default: '4' },
  },
})
const TRANSFERS = Number(values.transfers)
const PEOPLE = Number(values.people)
const KILL_EVERY_S = Number(values['kill-every'])

const LIMIT_MS = 400_000 + TRANSFERS * 1_000

const begunAt = performance.now()
const say = (sentence: string) =>
  console.log(`${((performance.now() - begunAt) / 1000).toFixed(0).padStart(5)} s  ${sentence}`)

const faults: string[] = []
function expect(claim: string, isSo: boolean): void {
  say(`${isSo ? 'ok    ' : 'WRONG '} ${claim}`)
  if (!isSo) faults.push(claim)
}

async function waitUntilQuiet(cells: Cells): Promise<number> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < SETTLES_WITHIN_MS) {
    if ((await countInFlight(cells)) === 0) break
    await sleep(300)
  }
  return Math.round(performance.now() - startedAt)
}

/**
 * Opens pairs of customers, one in each cell, who can pay each other. The first customer of the south then closes their
 * account.
 */
async function openPeople(cells: Cells): Promise<[CellCustomer, CellCustomer][]> {
  const pairs: [CellCustomer, CellCustomer][] = []
  const places = Array.from({ length: PEOPLE }, (_, place) => place)
  await forEachAtRandom(places, 4, async (place) => {
    const pair: [CellCustomer, CellCustomer] = [
      await signUpAtCell(cells.banks.north, place),
      await signUpAtCell(cells.banks.south, place),
    ]
    pairs[place] = pair
    for (const { bank, accountNumber } of pair)
      await cells.outside.pay({ routingNumber: bank.routingNumber, accountNumber }, WAGES_MINOR)
  })
  await forEachAtRandom(pairs, 4, async ([first, second]) => {
    await linkToOtherCell(first, second)
    await linkToOtherCell(second, first)
  })
  // No account has this number, though its check digits are valid. No cell has the second routing number.
  const nobodys = `9999999999${checkDigitsOf('9999999999')}`
  const [[first], [second]] = pairs as [[CellCustomer, CellCustomer], [CellCustomer, CellCustomer]]
  await linkExternal(first, {
    holderName: 'Nobody',
    routingNumber: cells.banks.south.routingNumber,
    accountNumber: nobodys,
  })
  await linkExternal(second, { holderName: 'Nobody', routingNumber: '122105155', accountNumber: '12345678' })
  await closeCellAccount(pairs[0]?.[1] as CellCustomer)
  return pairs
}

async function settle(cells: Cells, day: string, killAfterMs?: number): Promise<string> {
  const { output } = await runBankCommand(
    ['server/cli/clearing.ts', cells.file, '--settle', '--day', day],
    {},
    killAfterMs,
  )
  return output
}

type Kills = { counts: Record<string, number>; stop(): Promise<void> }

/** Kills `victims` one at a time, in random order, until it is stopped. */
function startKilling(victims: readonly Victim[]): Kills {
  const counts: Record<string, number> = {}
  let isGoing = true
  let remaining: Victim[] = []
  const work = (async () => {
    while (isGoing) {
      await sleep(KILL_EVERY_S * (500 + randomBelow(1_000)))
      if (remaining.length === 0) remaining = [...victims]
      const [victim] = remaining.splice(randomBelow(remaining.length), 1)
      if (!isGoing || !victim) return
      await victim.kill()
      counts[victim.name] = (counts[victim.name] ?? 0) + 1
    }
  })()
  return {
    counts,
    stop: async () => {
      isGoing = false
      await work
    },
  }
}

async function makePayments(cells: Cells, pairs: [CellCustomer, CellCustomer][]): Promise<AcknowledgedPayment[]> {
  const ways = pairs.flatMap(([first, second], place) => [
    { from: first, to: second },
    // The first customer of the south has closed their account.
    ...(place === 0 ? [] : [{ from: second, to: first }]),
  ])
  const payments: AcknowledgedPayment[] = []
  let remaining = TRANSFERS
  // The transfers are slow enough for each victim to be killed once meanwhile.
  const pauseMs = (cells.victims.length * KILL_EVERY_S * 1_000) / Math.ceil(TRANSFERS / ways.length)
  // Each customer makes one transfer at a time, as a browser does. The transfers go in rounds, so that all customers pay until
  // the end.
  while (remaining > 0) {
    const round = ways.slice(0, remaining)
    remaining -= round.length
    await forEachAtRandom(round, 2 * AT_ONCE, async ({ from, to }) => {
      const amountMinor = 1_00 + randomBelow(2_00)
      payments.push({ id: await payToOtherCell(from, amountMinor), from, to, amountMinor })
    })
    await sleep(pauseMs)
  }
  return payments
}

async function readPositions({ banks }: Cells) {
  return { north: await readClearingPosition(banks.north), south: await readClearingPosition(banks.south) }
}

async function prove(cells: Cells): Promise<void> {
  const pairs = await openPeople(cells)
  await waitUntilQuiet(cells)
  say(`${2 * PEOPLE} customers have an account in the other cell; the clearing settles what their employer paid`)
  await settle(cells, '2026-11-27')
  await waitUntilQuiet(cells)
  const openingPositions = await readPositions(cells)
  const paidMinor = cells.outside.paidMinor()
  expect(
    'after the first day neither cell owes anything',
    openingPositions.north.owedMinor === 0 && openingPositions.south.owedMinor === 0,
  )
  expect(
    'both have at the central bank what came from outside',
    openingPositions.north.centralMinor + openingPositions.south.centralMinor === paidMinor,
  )
  const balancesBefore = await readBalances(cells)

  const kills = startKilling(cells.victims)
  const startedAt = performance.now()
  const payments = await makePayments(cells, pairs)
  const paidMs = Math.round(performance.now() - startedAt)
  await kills.stop()
  say(`${payments.length} transfers were acknowledged in ${paidMs} ms, under kills: ${JSON.stringify(kills.counts)}`)
  say(`all transfers had arrived or returned ${await waitUntilQuiet(cells)} ms after the last kill`)
  const outcomes = await findPayments(cells, payments, balancesBefore)
  say(
    `${outcomes.arrived} arrived; returned: ${JSON.stringify(outcomes.returned)}; on their way: ${outcomes.onTheirWay}`,
  )
  for (const fault of outcomes.wrong.slice(0, 20)) say(fault)
  expect('each payment is in one place, once, and each balance is correct', outcomes.wrong.length === 0)
  expect('no payment is on its way', outcomes.onTheirWay === 0 && payments.length === TRANSFERS)
  expect('the sum of all money is unchanged', sumBalances(await readBalances(cells)) === sumBalances(balancesBefore))
  const { north, south } = await readPositions(cells)
  say(`north owes ${north.owedMinor} cents, south ${south.owedMinor}`)
  expect('the positions of the cells mirror each other', north.owedMinor + south.owedMinor === 0)
  const bookFaults = await findInBooks(cells)
  for (const line of bookFaults) say(line)
  expect('the journal and both books agree, and the books balance', bookFaults.length === 0)
  await proveSettlement(cells, north.owedMinor)

  const attackFaults = await sendInvalidMessages(cells)
  for (const line of attackFaults) say(line)
  expect('repeated, changed and forged messages get the correct responses', attackFaults.length === 0)
  await waitUntilQuiet(cells)
  const outcomesAgain = await findPayments(cells, payments, balancesBefore)
  const positionsAfter = await readPositions(cells)
  expect(
    'those messages change nothing',
    outcomesAgain.wrong.length === 0 && CELL_NAMES.every((name) => positionsAfter[name].owedMinor === 0),
  )
  expect('the books balance in the end', (await findInBooks(cells)).length === 0)
}

/** Proves that settlement happens once. The first commands are killed midway, and the clearing and a bank are killed too. */
async function proveSettlement(cells: Cells, northOwedMinor: number): Promise<void> {
  const positionsBefore = await readPositions(cells)
  for (const killAfterMs of [100 + randomBelow(400), 500 + randomBelow(500)])
    await settle(cells, '2026-11-28', killAfterMs)
  const [bank, , , , clearing] = cells.victims
  await Promise.all([settle(cells, '2026-11-28'), settle(cells, '2026-11-28'), clearing?.kill(), bank?.kill()])
  const output = await settle(cells, '2026-11-28')
  for (const line of output.trim().split('\n')) say(line)
  expect('a day is settled once', output.includes('had been settled'))
  await waitUntilQuiet(cells)
  const positionsAfter = await readPositions(cells)
  expect(
    'then neither cell owes anything',
    positionsAfter.north.owedMinor === 0 && positionsAfter.south.owedMinor === 0,
  )
  const northPaidMinor = positionsBefore.north.centralMinor - positionsAfter.north.centralMinor
  const southReceivedMinor = positionsAfter.south.centralMinor - positionsBefore.south.centralMinor
  expect(
    'one cell received the amount that the other paid at the central bank',
    northPaidMinor === northOwedMinor && southReceivedMinor === northPaidMinor,
  )
}

const cells = await openCells()
/** Ends the run on a signal or after the time limit, so that no process stays behind. */
const stopReason = new Promise<string>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve('it was stopped'))
  setTimeout(() => resolve(`it was not over within ${LIMIT_MS} ms`), LIMIT_MS).unref()
})
const failureReason = await Promise.race([prove(cells), stopReason]).catch((error: unknown) => String(error))
if (typeof failureReason === 'string') faults.push(failureReason)
await cells.close()
for (const fault of faults) console.log(`WRONG: ${fault}`)
process.exit(faults.length === 0 ? 0 : 1)
