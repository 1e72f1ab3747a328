import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { runCommand } from '#server/cli/command.ts'
import { endAllSessions } from '#server/identity/sessions/end-all.ts'
import { auditBooks } from '#server/ledger/books.ts'
import { countLedger } from '#server/ledger/counts.ts'
import { readPassphrase } from '#server/platform/backup/passphrase.ts'
import { type Moment, type Plan, planRestore, restore, restoreInto } from '#server/platform/backup/restore.ts'
import type { Cluster } from '#server/platform/db/embedded.ts'
import { runOn, type Run } from '#server/platform/db/run.ts'
import { hold } from '#server/platform/held.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const USAGE =
  'Usage: npm run restore -- DIR --to FOLDER [--at 2027-03-05T14:30:00Z], or npm run restore -- DIR --verify'

type Asked = { dir: string; at: Moment; to: string | null }

/** What is asked for; `to` is null where the backup is to be verified. Throws StartError where the arguments do not say. */
function readArguments(): Asked {
  try {
    const { values, positionals } = parseArgs({
      options: {
        at: { type: 'string', default: 'latest' },
        to: { type: 'string' },
        verify: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    })
    const [dir] = positionals
    if (dir === undefined || positionals.length > 1 || values.verify === (values.to !== undefined))
      throw new RangeError(USAGE)
    return { dir: resolve(dir), at: momentIn(values.at), to: values.to === undefined ? null : resolve(values.to) }
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(USAGE)
  }
}

function momentIn(text: string): Moment {
  if (text === 'latest') return null
  try {
    // As precise as PostgreSQL is.
    return Temporal.Instant.from(text).round({ smallestUnit: 'microsecond', roundingMode: 'floor' })
  } catch {
    throw new StartError(
      `--at is a time with its zone, as 2027-03-05T14:30:00Z, or latest; not ${JSON.stringify(text)}.`,
    )
  }
}

/** `npm run restore`: restores a bank into a new folder, or proves that a backup could be. Answers the exit code. */
async function main(): Promise<number> {
  const { dir, at, to } = readArguments()
  const plan = await planRestore(dir, at)
  const passphrase = await readPassphrase(process.env)
  const stopping = new AbortController()
  const stopped = new StartError('Stopped before it was done: nothing was restored, and nothing is left of it.')
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stopping.abort(stopped))
  const given = { plan, passphrase, signal: stopping.signal }
  return to === null ? verify(given) : restoreTo(to, given)
}

type Given = { plan: Plan; passphrase: string; signal: AbortSignal }

async function restoreTo(to: string, { plan, ...given }: Given): Promise<number> {
  if (existsSync(to) && readdirSync(to).length > 0)
    throw new StartError(`${to} is not empty: restore into a new folder.`)
  let known = ''
  await restore({
    ...given,
    plan,
    to,
    prepare: async (cluster, until) => {
      known = until
      await asOwner(cluster, async (run) => {
        await run('BEGIN')
        await hold(run, until)
        await endAllSessions(run)
        await run('COMMIT')
      })
    },
  })
  console.log(`Restored to ${to}, as of ${known}.`)
  console.log(
    `Start it with DATA_DIR=${to} npm start. It is held: npm run held says what waits, and how to release it.`,
  )
  return 0
}

/** Nothing of the bank is started but its database, so that nothing can leave. */
async function verify({ plan, ...given }: Given): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'alder-verify-'))
  const problems: string[] = []
  try {
    await restoreInto(join(folder, 'bank'), {
      ...given,
      plan,
      prepare: (cluster, until) =>
        asOwner(cluster, async (run) => {
          console.log(`Restored as of ${until}.`)
          problems.push(...(await compare(run, plan)))
          await run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
          const audit = await auditBooks(run)
          problems.push(...audit.problems)
          if (audit.problems.length === 0) console.log(`The books balance: ${audit.entries} entries.`)
        }),
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  for (const problem of problems) console.log(`WRONG  ${problem}`)
  console.log(problems.length === 0 ? 'The backup is good.' : 'The backup is not good.')
  return problems.length === 0 ? 0 : 1
}

/** Rows are only ever added, so there are as many as when the copy was made, and what came since. */
async function compare(run: Run, { manifest }: Plan): Promise<string[]> {
  const counts = await countLedger(run)
  return Object.entries(manifest.counts).flatMap(([name, least]) => {
    const found = counts[name] ?? 0
    console.log(`${name.padEnd(12)}${String(found).padStart(12)}  (${least} when it was copied)`)
    return found < least ? [`${name}: ${found}, and there were ${least}`] : []
  })
}

async function asOwner(cluster: Cluster, work: (run: Run) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.ownerUrl() })
  await client.connect()
  try {
    await work(runOn(client))
  } finally {
    await client.end()
  }
}

await runCommand(main)
