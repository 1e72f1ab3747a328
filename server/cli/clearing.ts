import { parseArgs } from 'node:util'
import { formatAmount } from '#contract/money.ts'
import { type Clearing, readClearing } from '#server/clearing/cells.ts'
import { compare, type Compared } from '#server/clearing/comparing.ts'
import { makeJournal } from '#server/clearing/journal.ts'
import { serveClearing } from '#server/clearing/serving.ts'
import { settle } from '#server/clearing/settling.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { realNow } from '#server/platform/clock.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { runCommand } from '#server/cli/command.ts'

const USAGE = 'Usage: npm run clearing -- CELLS.json [--settle [--day YYYY-MM-DD] | --compare]'

type Asked = { file: string; does: 'serve' | 'settle' | 'compare'; day: string }

const today = (): string => realNow().toISOString().slice(0, 'YYYY-MM-DD'.length)

function readArguments(): Asked {
  try {
    const flag = { type: 'boolean', default: false } as const
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { settle: flag, compare: flag, day: { type: 'string' } },
    })
    const [file, ...others] = positionals
    if (file === undefined || others.length > 0 || (values.settle && values.compare)) throw new RangeError(USAGE)
    if (values.day !== undefined && !values.settle) throw new RangeError(USAGE)
    const day = Temporal.PlainDate.from(values.day ?? today()).toString()
    // It would be taken for settled once it has come, and what was paid by then would wait.
    if (day > today()) throw new StartError(`${day} is still to come: it is ${today()} (UTC).`)
    return { file, does: values.settle ? 'settle' : values.compare ? 'compare' : 'serve', day }
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(USAGE)
  }
}

/** `npm run clearing`: what stands between several banks that pay each other, each a cell (docs/scale.md). Answers the exit code. */
async function main(): Promise<number> {
  const { file, does, day } = readArguments()
  const clearing = readClearing(file)
  const pool = openPool(clearing.databaseUrl, { name: 'alder clearing', max: 2 + 3 * clearing.cells.length })
  try {
    if (does === 'serve') await serve(clearing, pool)
    else {
      await makeJournal(pool)
      if (does === 'compare') return print(await compare(pool, clearing.cells))
      await settleDay(pool, day)
    }
    return 0
  } finally {
    await pool.end()
  }
}

async function serve(clearing: Clearing, pool: ReturnType<typeof openPool>): Promise<void> {
  const running = await serveClearing(pool, clearing, (sentence) => console.error(sentence))
  console.log(`The clearing is open at http://localhost:${running.port}`)
  const stopped = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.resolve())
  await stopped.promise
  await running.stop()
}

const amount = (minor: number): string => formatAmount(BigInt(minor), 'USD', { symbol: false })

async function settleDay(pool: ReturnType<typeof openPool>, day: string): Promise<void> {
  const { isNew, positions } = await settle(pool, day)
  console.log(isNew ? `${day} is settled.` : `${day} had been settled.`)
  for (const { cell, netMinor } of positions)
    console.log(`${cell.padEnd(20)}${netMinor > 0 ? 'receives' : 'pays'}${amount(Math.abs(netMinor)).padStart(20)}`)
}

/** 1 where something differs. */
function print(compared: Compared[]): number {
  let differing = 0
  for (const one of compared) {
    console.log(`${one.cell}: owes ${amount(one.owedMinor)}, by the journal ${amount(one.journalOwedMinor)};`)
    console.log(`  at the central bank ${amount(one.centralMinor)}, by the journal ${amount(one.journalCentralMinor)}`)
    for (const difference of one.differences) console.log(`  ${difference}`)
    if (one.unexplainedMinor !== 0) console.log(`  UNEXPLAINED  ${amount(one.unexplainedMinor)}`)
    if (one.differences.length > 0 || one.unexplainedMinor !== 0 || one.centralMinor !== one.journalCentralMinor)
      differing += 1
  }
  console.log(differing === 0 ? 'The journal and all books say the same.' : 'The journal and the books differ.')
  return differing === 0 ? 0 : 1
}

await runCommand(main)
