import { parseArgs } from 'node:util'
import { formatAmount } from '#contract/money.ts'
import { type ClearingConfig, readClearingConfig } from '#server/clearing/cells.ts'
import { reconcile, type Reconciliation } from '#server/clearing/reconciliation.ts'
import { createJournal } from '#server/clearing/journal.ts'
import { serveClearing } from '#server/clearing/server.ts'
import { settleDay } from '#server/clearing/net-settlement.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { realNow } from '#server/platform/clock.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { runCommand } from '#server/cli/command.ts'

const USAGE = 'Usage: npm run clearing -- CELLS.json [--settle [--day YYYY-MM-DD] | --compare]'

type ClearingArguments = { file: string; does: 'serve' | 'settle' | 'compare'; day: string }

const today = (): string => realNow().toISOString().slice(0, 'YYYY-MM-DD'.length)

function readArguments(): ClearingArguments {
  try {
    const flag = { type: 'boolean', default: false } as const
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { settle: flag, compare: flag, day: { type: 'string' } },
    })
    const [file, ...extraArguments] = positionals
    if (file === undefined || extraArguments.length > 0 || (values.settle && values.compare))
      throw new RangeError(USAGE)
    if (values.day !== undefined && !values.settle) throw new RangeError(USAGE)
    const day = Temporal.PlainDate.from(values.day ?? today()).toString()
    // A settlement counts for its whole day. After a settlement in advance, payments made later for that day would have to
    // wait.
    if (day > today()) throw new StartError(`${day} is still to come: it is ${today()} (UTC).`)
    return { file, does: values.settle ? 'settle' : values.compare ? 'compare' : 'serve', day }
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(USAGE)
  }
}

/**
 * `npm run clearing`: runs the clearing between several banks that pay each other. Each bank is a cell (docs/scale.md). With
 * `--settle` it settles a day instead. With `--compare` it compares the journal with the cells' books. Returns the exit code.
 */
async function main(): Promise<number> {
  const { file, does: action, day } = readArguments()
  const clearing = readClearingConfig(file)
  const pool = openPool(clearing.databaseUrl, { name: 'alder clearing', max: 2 + 3 * clearing.cells.length })
  try {
    if (action === 'serve') await serve(clearing, pool)
    else {
      await createJournal(pool)
      if (action === 'compare') return print(await reconcile(pool, clearing.cells))
      await settle(pool, day)
    }
    return 0
  } finally {
    await pool.end()
  }
}

async function serve(clearing: ClearingConfig, pool: ReturnType<typeof openPool>): Promise<void> {
  const running = await serveClearing(pool, clearing, (sentence) => console.error(sentence))
  console.log(`The clearing is open at http://localhost:${running.port}`)
  const stopSignal = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopSignal.resolve())
  await stopSignal.promise
  await running.stop()
}

const amount = (minor: number): string => formatAmount(BigInt(minor), 'USD', { symbol: false })

async function settle(pool: ReturnType<typeof openPool>, day: string): Promise<void> {
  const { isNew, positions } = await settleDay(pool, day)
  console.log(isNew ? `${day} is settled.` : `${day} had been settled.`)
  for (const { cell, netMinor } of positions)
    console.log(`${cell.padEnd(20)}${netMinor > 0 ? 'receives' : 'pays'}${amount(Math.abs(netMinor)).padStart(20)}`)
}

/** Prints the comparison of the journal with the books of each cell. Returns the exit code, which is 1 if anything differs. */
function print(reconciliations: Reconciliation[]): number {
  let differingCount = 0
  for (const position of reconciliations) {
    console.log(
      `${position.cell}: owes ${amount(position.owedMinor)}, by the journal ${amount(position.journalOwedMinor)};`,
    )
    console.log(
      `  at the central bank ${amount(position.centralMinor)}, by the journal ${amount(position.journalCentralMinor)}`,
    )
    for (const difference of position.differences) console.log(`  ${difference}`)
    if (position.unexplainedMinor !== 0) console.log(`  UNEXPLAINED  ${amount(position.unexplainedMinor)}`)
    if (
      position.differences.length > 0 ||
      position.unexplainedMinor !== 0 ||
      position.centralMinor !== position.journalCentralMinor
    )
      differingCount += 1
  }
  console.log(differingCount === 0 ? 'The journal and all books agree.' : 'The journal and the books differ.')
  return differingCount === 0 ? 0 : 1
}

await runCommand(main)
