import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { findBank, runCommand } from '#server/cli/command.ts'
import { endAllSessions } from '#server/identity/sessions/end-all-sessions.ts'
import { connectAsOwner } from '#server/platform/db/database-identity.ts'
import { runOn, type Run } from '#server/platform/db/run.ts'
import { HELD_KINDS, type HeldKind, holdBack, releaseHold } from '#server/platform/restore-hold.ts'
import { countWaiting } from '#server/platform/jobs/graphile.ts'
import type { RunnableJob } from '#server/platform/jobs/job.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const USAGE = `Usage: npm run held [-- --release all|${HELD_KINDS.join('|')} | --hold TIME | --known FILE]`

type HeldArguments = { release?: readonly HeldKind[]; hold?: string; known?: string }

/** Reads the arguments. Throws StartError if they are invalid. */
function readArguments(): HeldArguments {
  try {
    const text = { type: 'string' } as const
    const { values } = parseArgs({ options: { release: text, hold: text, known: text } })
    if (Object.keys(values).length > 1) throw new RangeError(USAGE)
    const { release: released, hold: since, known } = values
    const kinds = HELD_KINDS.filter((kind) => released === 'all' || released === kind)
    if (released !== undefined && kinds.length === 0) throw new RangeError(USAGE)
    return {
      ...(released === undefined ? {} : { release: kinds }),
      ...(since === undefined ? {} : { hold: Temporal.Instant.from(since).toString() }),
      ...(known === undefined ? {} : { known }),
    }
  } catch {
    throw new StartError(USAGE)
  }
}

/**
 * `npm run held`: lists or releases the work that a restored bank holds back. Also puts a bank on hold, and lists payments that
 * the bank does not have. Returns the exit code.
 */
async function main(): Promise<number> {
  const args = readArguments()
  // The owner's role is needed, because the serving role may not release anything.
  const { ownerUrl } = await findBank()
  const client = await connectAsOwner(ownerUrl)
  try {
    const run = runOn(client)
    if (args.known !== undefined) return await compareWith(run, args.known)
    if (args.hold !== undefined) {
      await run('BEGIN')
      await holdBack(run, args.hold)
      await endAllSessions(run)
      await run('COMMIT')
      console.log(
        'All customers are signed out. Servers that start from now on hold everything: restart the running ones.',
      )
      return 0
    }
    if (args.release) {
      const released = await releaseHold(run, args.release)
      console.log(released.length > 0 ? `Released: ${released.join(', ')}.` : 'Nothing of that kind was held.')
      return 0
    }
    return await list(run)
  } finally {
    await client.end()
  }
}

const MEANINGS: Record<HeldKind, string> = {
  changes: 'changes by customers, shops and providers, which are refused until this is released',
  mail: 'emails to be sent',
  texts: 'text messages to be sent; those that have expired are dropped',
  push: 'notices to be shown by browsers',
  rails: 'requests and reports to the provider of money from outside',
}

async function list(run: Run): Promise<number> {
  const { rows } = await run('SELECT kind, known_until FROM bank.held ORDER BY known_until')
  const [first] = rows
  if (!first) {
    console.log('Nothing is held.')
    return 0
  }
  // The import is here because it loads most of the bank, which takes seconds.
  const { SLICES } = await import('#server/api.ts')
  const jobs: readonly RunnableJob[] = SLICES.flatMap((slice) => ('jobs' in slice ? slice.jobs : []))
  console.log(`The bank has all events until ${(first['known_until'] as Date).toISOString()}, and holds:`)
  for (const kind of HELD_KINDS.filter((each) => rows.some((row) => row['kind'] === each))) {
    const names = jobs.filter(({ leaves }) => leaves === kind).map(({ name }) => name)
    const waiting = kind === 'changes' ? '' : `${await countWaiting(run, names)} `
    console.log(`  ${kind.padEnd(9)}${waiting}${MEANINGS[kind]}`)
  }
  console.log(AFTERWARDS)
  return 1
}

const AFTERWARDS = `Later events exist only elsewhere: payouts, collections and transfers at the provider, and card
payments at the scheme. Save their ids since that time in a file, one per line, and run npm run held -- --known FILE
to list the ids that the bank does not have. Then release: changes first, rails next, mail, texts and push last.`

/** The kind of payment that is identified by the card scheme's id. The ids of all other kinds are UUIDs. */
const SCHEMES_OWN = 'card payment'

/** The kinds of payments, each with the query that selects those of the given ids that the bank has. */
const OPTIONS = [
  ['payout', 'SELECT operation_id::text AS id FROM bank.payout WHERE operation_id::text = ANY($1)'],
  ['top-up', 'SELECT operation_id::text AS id FROM bank.collection WHERE operation_id::text = ANY($1)'],
  ['transfer', 'SELECT id::text AS id FROM bank.incoming_transfer WHERE id::text = ANY($1)'],
  ['mandate', 'SELECT id::text AS id FROM bank.mandate WHERE id::text = ANY($1)'],
  ['direct debit', 'SELECT id::text AS id FROM bank.direct_debit WHERE id::text = ANY($1)'],
  [SCHEMES_OWN, 'SELECT scheme_id AS id FROM bank.card_authorisation WHERE scheme_id = ANY($1)'],
] as const

/**
 * Prints the ids of a file that are unknown to the bank. A payment with such an id happened but is not in the books. Returns
 * the exit code.
 */
async function compareWith(run: Run, file: string): Promise<number> {
  const ids = readIds(file)
  const unknownIds = new Set(ids)
  for (const [operationKind, sql] of OPTIONS) {
    // Some providers write UUIDs in capital letters. The ids of the card scheme are case-sensitive.
    const form = (id: string): string => (operationKind === SCHEMES_OWN ? id : id.toLowerCase())
    const { rows } = await run(sql, [ids.map(form)])
    const knownIds = new Set(rows.map(({ id }) => id))
    for (const id of ids) if (knownIds.has(form(id))) unknownIds.delete(id)
    if (rows.length > 0) console.log(`${operationKind.padEnd(14)}${rows.length} known`)
  }
  for (const id of unknownIds) console.log(`unknown       ${id}`)
  console.log(`${ids.length} ids, ${unknownIds.size} of them unknown to the bank.`)
  return unknownIds.size === 0 ? 0 : 1
}

function readIds(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8').split(/\r?\n/)
    return [...new Set(lines.map((line) => line.trim()).filter((line) => line !== ''))]
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${(error as Error).message}.`)
  }
}

await runCommand(main)
