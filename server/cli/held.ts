import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { findBank, runCommand } from '#server/cli/command.ts'
import { endAllSessions } from '#server/identity/sessions/end-all.ts'
import { connectAsOwner } from '#server/platform/db/record.ts'
import { runOn, type Run } from '#server/platform/db/run.ts'
import { HELD_KINDS, type HeldKind, hold, release } from '#server/platform/held.ts'
import { countWaiting } from '#server/platform/jobs/graphile.ts'
import type { RunnableJob } from '#server/platform/jobs/job.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const USAGE = `Usage: npm run held [-- --release all|${HELD_KINDS.join('|')} | --hold TIME | --known FILE]`

type Asked = { release?: readonly HeldKind[]; hold?: string; known?: string }

/** What is asked for. Throws StartError where the arguments do not say. */
function readArguments(): Asked {
  try {
    const text = { type: 'string' } as const
    const { values } = parseArgs({ options: { release: text, hold: text, known: text } })
    if (Object.keys(values).length > 1) throw new RangeError(USAGE)
    const { release: given, hold: since, known } = values
    const kinds = HELD_KINDS.filter((kind) => given === 'all' || given === kind)
    if (given !== undefined && kinds.length === 0) throw new RangeError(USAGE)
    return {
      ...(given === undefined ? {} : { release: kinds }),
      ...(since === undefined ? {} : { hold: Temporal.Instant.from(since).toString() }),
      ...(known === undefined ? {} : { known }),
    }
  } catch {
    throw new StartError(USAGE)
  }
}

/** `npm run held`: what a restored bank holds back, to be looked at and released. Answers the exit code. */
async function main(): Promise<number> {
  const asked = readArguments()
  // The owner's role: the one that serves has no right to release anything.
  const { ownerUrl } = await findBank()
  const client = await connectAsOwner(ownerUrl)
  try {
    const run = runOn(client)
    if (asked.known !== undefined) return await compareWith(run, asked.known)
    if (asked.hold !== undefined) {
      await run('BEGIN')
      await hold(run, asked.hold)
      await endAllSessions(run)
      await run('COMMIT')
      console.log(
        'Everybody is signed out, and servers that start from now on hold everything: restart those that are running.',
      )
      return 0
    }
    if (asked.release) {
      const released = await release(run, asked.release)
      console.log(released.length > 0 ? `Released: ${released.join(', ')}.` : 'None of that was held.')
      return 0
    }
    return await list(run)
  } finally {
    await client.end()
  }
}

const MEANINGS: Record<HeldKind, string> = {
  changes: 'what customers, shops and providers change is refused until this is released',
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
  // It is most of the bank, which takes seconds to load.
  const { SLICES } = await import('#server/api.ts')
  const jobs: readonly RunnableJob[] = SLICES.flatMap((slice) => ('jobs' in slice ? slice.jobs : []))
  console.log(`The bank knows what happened until ${(first['known_until'] as Date).toISOString()}, and holds:`)
  for (const kind of HELD_KINDS.filter((each) => rows.some((row) => row['kind'] === each))) {
    const names = jobs.filter(({ leaves }) => leaves === kind).map(({ name }) => name)
    const waiting = kind === 'changes' ? '' : `${await countWaiting(run, names)} `
    console.log(`  ${kind.padEnd(9)}${waiting}${MEANINGS[kind]}`)
  }
  console.log(AFTERWARDS)
  return 1
}

const AFTERWARDS = `What happened after that moment only others know: payouts, collections and transfers at the provider, card
payments at the scheme. Save the ids of what they know since then, one on a line, and let npm run held -- --known FILE
say which of them the bank does not know. Then release: changes first, rails next, mail, texts and push last.`

/** What has names that are not the bank's. */
const SCHEMES_OWN = 'card payment'

/** Where a provider's ids and the card scheme's names stand. */
const KNOWN = [
  ['payout', 'SELECT operation_id::text AS id FROM bank.payout WHERE operation_id::text = ANY($1)'],
  ['top-up', 'SELECT operation_id::text AS id FROM bank.collection WHERE operation_id::text = ANY($1)'],
  ['transfer', 'SELECT id::text AS id FROM bank.incoming_transfer WHERE id::text = ANY($1)'],
  ['mandate', 'SELECT id::text AS id FROM bank.mandate WHERE id::text = ANY($1)'],
  ['direct debit', 'SELECT id::text AS id FROM bank.direct_debit WHERE id::text = ANY($1)'],
  [SCHEMES_OWN, 'SELECT scheme_id AS id FROM bank.card_authorisation WHERE scheme_id = ANY($1)'],
] as const

/** Says which ids of a file the bank does not know: what they are about happened, and is not in its books. */
async function compareWith(run: Run, file: string): Promise<number> {
  const ids = readIds(file)
  const unknown = new Set(ids)
  for (const [what, sql] of KNOWN) {
    // Some providers write the bank's ids in capitals; the scheme's names are what they are.
    const form = (id: string): string => (what === SCHEMES_OWN ? id : id.toLowerCase())
    const { rows } = await run(sql, [ids.map(form)])
    const there = new Set(rows.map(({ id }) => id))
    for (const id of ids) if (there.has(form(id))) unknown.delete(id)
    if (rows.length > 0) console.log(`${what.padEnd(14)}${rows.length} known`)
  }
  for (const id of unknown) console.log(`unknown       ${id}`)
  console.log(`${ids.length} ids, of which the bank does not know ${unknown.size}.`)
  return unknown.size === 0 ? 0 : 1
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
