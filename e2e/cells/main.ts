import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { checkDigitsOf } from '#contract/bank-numbers.ts'
import { type Cells, command, NAMES, openCells, random, type Victim } from './bank-cells.ts'
import { close, forEach, link, linkTo, pay, type Person, signUp } from './people.ts'
import {
  attack,
  balancesOf,
  countOnTheirWay,
  findInBooks,
  findPayments,
  type Payment,
  standingOf,
  sumOf,
} from './proof.ts'

/*
 * `npm run test:cells` opens two live banks that pay each other through the clearing (docs/scale.md), has their customers make
 * transfers while servers, databases and the clearing are killed, and proves that nothing is lost or doubled in between.
 * `-- --transfers 1000 --people 20 --kill-every 8` is the run of docs/scale.md; without arguments it is short.
 */

const WAGES_MINOR = 200_00
/** What a killed worker had begun is done again within a minute. */
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

const wrong: string[] = []
function expect(what: string, isSo: boolean): void {
  say(`${isSo ? 'ok    ' : 'WRONG '} ${what}`)
  if (!isSo) wrong.push(what)
}

async function quiet(cells: Cells): Promise<number> {
  const since = performance.now()
  while (performance.now() - since < SETTLES_WITHIN_MS) {
    if ((await countOnTheirWay(cells)) === 0) break
    await sleep(300)
  }
  return Math.round(performance.now() - since)
}

/** People in pairs, each of whom can pay the other in the other cell. The first of the south then closes. */
async function openPeople(cells: Cells): Promise<[Person, Person][]> {
  const pairs: [Person, Person][] = []
  const places = Array.from({ length: PEOPLE }, (_, place) => place)
  await forEach(places, 4, async (place) => {
    const pair: [Person, Person] = [await signUp(cells.banks.north, place), await signUp(cells.banks.south, place)]
    pairs[place] = pair
    for (const { bank, accountNumber } of pair)
      await cells.outside.pay({ routingNumber: bank.routingNumber, accountNumber }, WAGES_MINOR)
  })
  await forEach(pairs, 4, async ([one, other]) => {
    await linkTo(one, other)
    await linkTo(other, one)
  })
  // Nobody has this number, though its check digits are right; and no cell has that routing number.
  const nobodys = `9999999999${checkDigitsOf('9999999999')}`
  const [[one], [other]] = pairs as [[Person, Person], [Person, Person]]
  await link(one, { holderName: 'Nobody', routingNumber: cells.banks.south.routingNumber, accountNumber: nobodys })
  await link(other, { holderName: 'Nobody', routingNumber: '122105155', accountNumber: '12345678' })
  await close(pairs[0]?.[1] as Person)
  return pairs
}

async function settle(cells: Cells, day: string, killAfterMs?: number): Promise<string> {
  const { said } = await command(['server/cli/clearing.ts', cells.file, '--settle', '--day', day], {}, killAfterMs)
  return said
}

type Kills = { counts: Record<string, number>; stop(): Promise<void> }

/** Kills `victims` one at a time, in an order of chance, again and again. */
function startKilling(victims: readonly Victim[]): Kills {
  const counts: Record<string, number> = {}
  let isGoing = true
  let left: Victim[] = []
  const work = (async () => {
    while (isGoing) {
      await sleep(KILL_EVERY_S * (500 + random(1_000)))
      if (left.length === 0) left = [...victims]
      const [victim] = left.splice(random(left.length), 1)
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

async function makePayments(cells: Cells, pairs: [Person, Person][]): Promise<Payment[]> {
  const ways = pairs.flatMap(([one, other], place) => [
    { from: one, to: other },
    // The first of the south has closed.
    ...(place === 0 ? [] : [{ from: other, to: one }]),
  ])
  const payments: Payment[] = []
  let left = TRANSFERS
  // Slow enough for everything to be killed once meanwhile.
  const pauseMs = (cells.victims.length * KILL_EVERY_S * 1_000) / Math.ceil(TRANSFERS / ways.length)
  // One after the other for each person, as a browser does, in rounds, so that all pay until the end.
  while (left > 0) {
    const round = ways.slice(0, left)
    left -= round.length
    await forEach(round, 2 * AT_ONCE, async ({ from, to }) => {
      const amountMinor = 1_00 + random(2_00)
      payments.push({ id: await pay(from, amountMinor), from, to, amountMinor })
    })
    await sleep(pauseMs)
  }
  return payments
}

async function standings({ banks }: Cells) {
  return { north: await standingOf(banks.north), south: await standingOf(banks.south) }
}

async function prove(cells: Cells): Promise<void> {
  const pairs = await openPeople(cells)
  await quiet(cells)
  say(`${2 * PEOPLE} customers have an account in the other cell; the clearing settles what their employer paid`)
  await settle(cells, '2026-11-27')
  await quiet(cells)
  const opening = await standings(cells)
  const paidMinor = cells.outside.paidMinor()
  expect(
    'after the first day neither cell owes anything',
    opening.north.owedMinor === 0 && opening.south.owedMinor === 0,
  )
  expect(
    'both have at the central bank what came from outside',
    opening.north.centralMinor + opening.south.centralMinor === paidMinor,
  )
  const before = await balancesOf(cells)

  const kills = startKilling(cells.victims)
  const startedAt = performance.now()
  const payments = await makePayments(cells, pairs)
  const paidMs = Math.round(performance.now() - startedAt)
  await kills.stop()
  say(`${payments.length} transfers were acknowledged in ${paidMs} ms, under kills: ${JSON.stringify(kills.counts)}`)
  say(`all had arrived or come back ${await quiet(cells)} ms after the last kill`)
  const found = await findPayments(cells, payments, before)
  say(`${found.arrived} arrived; came back: ${JSON.stringify(found.returned)}; on their way: ${found.onTheirWay}`)
  for (const one of found.wrong.slice(0, 20)) say(one)
  expect('each payment is in one place, once, and each customer has what they should', found.wrong.length === 0)
  expect('none is on its way', found.onTheirWay === 0 && payments.length === TRANSFERS)
  expect('the sum of all money is what it was', sumOf(await balancesOf(cells)) === sumOf(before))
  const { north, south } = await standings(cells)
  say(`north owes ${north.owedMinor} cents, south ${south.owedMinor}`)
  expect('the positions of the cells mirror each other', north.owedMinor + south.owedMinor === 0)
  const compared = await findInBooks(cells)
  for (const one of compared) say(one)
  expect('the journal and both books say the same, and the books balance', compared.length === 0)
  await proveSettlement(cells, north.owedMinor)

  const attacked = await attack(cells)
  for (const one of attacked) say(one)
  expect('what is told again, otherwise or by others is answered as it has to be', attacked.length === 0)
  await quiet(cells)
  const again = await findPayments(cells, payments, before)
  const after = await standings(cells)
  expect('and changes nothing', again.wrong.length === 0 && NAMES.every((name) => after[name].owedMinor === 0))
  expect('the books balance in the end', (await findInBooks(cells)).length === 0)
}

/** Settled by commands of which the first are killed, while the clearing and a bank are killed, too. */
async function proveSettlement(cells: Cells, northOwedMinor: number): Promise<void> {
  const before = await standings(cells)
  for (const killAfterMs of [100 + random(400), 500 + random(500)]) await settle(cells, '2026-11-28', killAfterMs)
  const [bank, , , , clearing] = cells.victims
  await Promise.all([settle(cells, '2026-11-28'), settle(cells, '2026-11-28'), clearing?.kill(), bank?.kill()])
  const said = await settle(cells, '2026-11-28')
  for (const line of said.trim().split('\n')) say(line)
  expect('a day is settled once', said.includes('had been settled'))
  await quiet(cells)
  const after = await standings(cells)
  expect('then neither cell owes anything', after.north.owedMinor === 0 && after.south.owedMinor === 0)
  const paid = before.north.centralMinor - after.north.centralMinor
  const received = after.south.centralMinor - before.south.centralMinor
  expect('and what one paid at the central bank the other received', paid === northOwedMinor && received === paid)
}

const cells = await openCells()
/** Whoever stops it, or what hangs, leaves nothing running behind. */
const stopped = new Promise<string>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve('it was stopped'))
  setTimeout(() => resolve(`it was not over within ${LIMIT_MS} ms`), LIMIT_MS).unref()
})
const ended = await Promise.race([prove(cells), stopped]).catch((error: unknown) => String(error))
if (typeof ended === 'string') wrong.push(ended)
await cells.close()
for (const one of wrong) console.log(`WRONG: ${one}`)
process.exit(wrong.length === 0 ? 0 : 1)
