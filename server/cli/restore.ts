import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { readConfig } from '#server/bank/config.ts'
import { findBank, runCommand } from '#server/cli/command.ts'
import { endAllSessions } from '#server/identity/sessions/end-all.ts'
import { auditBooks } from '#server/ledger/books.ts'
import { countLedger } from '#server/ledger/counts.ts'
import { readPassphrase } from '#server/platform/backup/passphrase.ts'
import { USUAL_CONFIG } from '#server/platform/backup/pgbackrest.ts'
import { restoreFromPgBackRest } from '#server/platform/backup/restore-pgbackrest.ts'
import { type Moment, type Plan, planRestore, restore, restoreInto } from '#server/platform/backup/restore.ts'
import { withTemporary } from '#server/platform/backup/temporary.ts'
import { noteVerified } from '#server/platform/backup/verified.ts'
import { type Cluster, findRunning, findRunningCluster } from '#server/platform/db/embedded.ts'
import { runOn, type Run } from '#server/platform/db/run.ts'
import { hold } from '#server/platform/held.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const USAGE =
  'Usage: npm run restore -- DIR --to FOLDER [--at 2027-03-05T14:30:00Z], npm run restore -- DIR --verify, or npm run restore -- --pgbackrest --verify [--config FILE] [--programs FOLDER]'

type Asked = { dir: string; at: Moment; to: string | null } | PgBackRestAsked
type PgBackRestAsked = { config: string; programs: string | null }

/** What is asked for; `to` is null where the backup is to be verified. Throws StartError where the arguments do not say. */
function readArguments(): Asked {
  try {
    const { values, positionals } = parseArgs({
      options: {
        at: { type: 'string', default: 'latest' },
        to: { type: 'string' },
        verify: { type: 'boolean', default: false },
        pgbackrest: { type: 'boolean', default: false },
        config: { type: 'string' },
        programs: { type: 'string' },
      },
      allowPositionals: true,
    })
    const [dir] = positionals
    const { pgbackrest, verify: isVerify, to: target, config = USUAL_CONFIG, programs = null } = values
    if (pgbackrest && isVerify && target === undefined && positionals.length === 0) return { config, programs }
    if (pgbackrest || values.config !== undefined || programs !== null) throw new RangeError(USAGE)
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
  const asked = readArguments()
  const stopping = new AbortController()
  const stopped = new StartError('Stopped before it was done: nothing was restored, and nothing is left of it.')
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stopping.abort(stopped))
  const { signal } = stopping
  if ('config' in asked) return verifyPgBackRest(asked, signal)
  const { dir, at, to } = asked
  const plan = await planRestore(dir, at)
  const given = { plan, passphrase: await readPassphrase(process.env), signal }
  if (to !== null) return restoreTo(to, given)
  const code = await verify(given)
  if (code === 0 && at === null) await noteAtItsBank(plan)
  return code
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
  return tell((bank, problems) =>
    restoreInto(bank, {
      ...given,
      plan,
      prepare: (cluster, until) =>
        asOwner(cluster, async (run) => {
          console.log(`Restored as of ${until}.`)
          problems.push(...(await proveCopy(run, plan.manifest.counts, 'when it was copied')))
        }),
    }),
  )
}

/** The same for a PostgreSQL of the operator's own, on the machine that has its backups. */
async function verifyPgBackRest(asked: PgBackRestAsked, signal: AbortSignal): Promise<number> {
  const { appUrl } = await findBank()
  const least = await askAt(appUrl, (run) => countLedger(run, ARCHIVED_WITHIN_MINUTES))
  return tell(async (folder, problems) => {
    const database = decodeURIComponent(new URL(appUrl).pathname.slice(1))
    await restoreFromPgBackRest({ ...asked, folder, database, signal }, async (client) => {
      const words = `in the bank ${ARCHIVED_WITHIN_MINUTES} minutes ago`
      problems.push(...(await proveCopy(runOn(client), least, words)))
    })
    if (problems.length === 0) await askAt(appUrl, noteVerified)
  })
}

/** The bank that was backed up is told, where it runs on this machine. */
async function noteAtItsBank({ bank }: Plan): Promise<void> {
  const { dataDir } = readConfig(process.env)
  const [ownerUrl, cluster] = [findRunning(dataDir), findRunningCluster(dataDir)]
  if (!ownerUrl || !cluster) return
  const { rows } = await askAt(cluster.superuserUrl, (run) =>
    run('SELECT system_identifier::text AS id FROM pg_control_system()'),
  )
  if (rows[0]?.['id'] === bank.systemIdentifier) await askAt(ownerUrl, noteVerified)
}

/** What was booked so long ago is in the archive, unless that has stopped: PostgreSQL hands over its log each minute. */
const ARCHIVED_WITHIN_MINUTES = 10

/** Restores into a folder that is removed afterwards, and says the problems that were found. Answers the exit code. */
async function tell(prove: (folder: string, problems: string[]) => Promise<unknown>): Promise<number> {
  const problems: string[] = []
  await withTemporary((folder) => prove(folder, problems))
  for (const problem of problems) console.log(`WRONG  ${problem}`)
  console.log(problems.length === 0 ? 'The backup is good.' : 'The backup is not good.')
  return problems.length === 0 ? 0 : 1
}

/** Rows are only ever added, so there are `least` of each, and what came since. Answers what is wrong. */
async function proveCopy(run: Run, least: Record<string, number>, when: string): Promise<string[]> {
  const counts = await countLedger(run)
  const missing = Object.entries(least).flatMap(([name, before]) => {
    const found = counts[name] ?? 0
    console.log(`${name.padEnd(12)}${String(found).padStart(12)}  (${before} ${when})`)
    return found < before ? [`${name}: ${found}, and there were ${before}`] : []
  })
  await run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const { problems, entries } = await auditBooks(run)
  if (problems.length === 0) console.log(`The books balance: ${entries} entries.`)
  return [...missing, ...problems]
}

const asOwner = (cluster: Cluster, work: (run: Run) => Promise<void>): Promise<void> => askAt(cluster.ownerUrl(), work)

async function askAt<Answer>(connectionString: string, work: (run: Run) => Promise<Answer>): Promise<Answer> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await work(runOn(client))
  } finally {
    await client.end()
  }
}

await runCommand(main)
