import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { readConfig } from '#server/bank/config.ts'
import { findBank, runCommand } from '#server/cli/command.ts'
import { endAllSessions } from '#server/identity/sessions/end-all-sessions.ts'
import { auditBooks } from '#server/ledger/audit.ts'
import { countLedger } from '#server/ledger/counts.ts'
import { readPassphrase } from '#server/platform/backup/passphrase.ts'
import { DEFAULT_CONFIG } from '#server/platform/backup/pgbackrest.ts'
import { restoreFromPgBackRest } from '#server/platform/backup/restore-pgbackrest.ts'
import {
  type RestoreTarget,
  type RestorePlan,
  planRestore,
  restore,
  restoreInto,
} from '#server/platform/backup/restore.ts'
import { withTemporary } from '#server/platform/backup/temporary.ts'
import { recordVerification } from '#server/platform/backup/verified.ts'
import { type EmbeddedCluster, findRunning, findRunningCluster } from '#server/platform/db/embedded.ts'
import { runOn, type Run } from '#server/platform/db/run.ts'
import { holdBack } from '#server/platform/restore-hold.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const USAGE =
  'Usage: npm run restore -- DIR --to FOLDER [--at 2027-03-05T14:30:00Z], npm run restore -- DIR --verify, or npm run restore -- --pgbackrest --verify [--config FILE] [--programs FOLDER]'

type RestoreArguments = { dir: string; at: RestoreTarget; to: string | null } | PgBackRestAsked
type PgBackRestAsked = { config: string; programs: string | null }

/** Reads the arguments; `to` is null if the backup is only verified. Throws StartError if they are invalid. */
function readArguments(): RestoreArguments {
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
    const { pgbackrest, verify: isVerify, to: target, config = DEFAULT_CONFIG, programs = null } = values
    if (pgbackrest && isVerify && target === undefined && positionals.length === 0) return { config, programs }
    if (pgbackrest || values.config !== undefined || programs !== null) throw new RangeError(USAGE)
    if (dir === undefined || positionals.length > 1 || isVerify === (target !== undefined)) throw new RangeError(USAGE)
    return { dir: resolve(dir), at: momentIn(values.at), to: target === undefined ? null : resolve(target) }
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(USAGE)
  }
}

function momentIn(text: string): RestoreTarget {
  if (text === 'latest') return null
  try {
    // Times in PostgreSQL have a precision of one microsecond.
    return Temporal.Instant.from(text).round({ smallestUnit: 'microsecond', roundingMode: 'floor' })
  } catch {
    throw new StartError(
      `--at is a time with its zone, as 2027-03-05T14:30:00Z, or latest; not ${JSON.stringify(text)}.`,
    )
  }
}

/** `npm run restore`: restores a bank into a new folder, or proves that a backup can be restored. Returns the exit code. */
async function main(): Promise<number> {
  const args = readArguments()
  const stopController = new AbortController()
  const stopError = new StartError('Stopped before the end: nothing was restored, and no files are left.')
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stopController.abort(stopError))
  const { signal } = stopController
  if ('config' in args) return verifyPgBackRest(args, signal)
  const { dir, at: pointInTime, to: targetFolder } = args
  const plan = await planRestore(dir, pointInTime)
  const options = { plan, passphrase: await readPassphrase(process.env), signal }
  if (targetFolder !== null) return restoreTo(targetFolder, options)
  const code = await verify(options)
  if (code === 0 && pointInTime === null) await noteAtItsBank(plan)
  return code
}

type RestoreOptions = { plan: RestorePlan; passphrase: string; signal: AbortSignal }

async function restoreTo(targetFolder: string, { plan, ...options }: RestoreOptions): Promise<number> {
  if (existsSync(targetFolder) && readdirSync(targetFolder).length > 0)
    throw new StartError(`${targetFolder} is not empty: restore into a new folder.`)
  let note = ''
  await restore({
    ...options,
    plan,
    to: targetFolder,
    prepare: async (cluster, until) => {
      note = until
      await asOwner(cluster, async (run) => {
        await run('BEGIN')
        await holdBack(run, until)
        await endAllSessions(run)
        await run('COMMIT')
      })
    },
  })
  console.log(`Restored to ${targetFolder}, as of ${note}.`)
  console.log(
    `Start it with DATA_DIR=${targetFolder} npm start. It is held: npm run held lists the waiting work, and how to release it.`,
  )
  return 0
}

/** Verifies a backup by restoring it. Only the bank's database is started, so that no payment or message can be sent. */
async function verify({ plan, ...options }: RestoreOptions): Promise<number> {
  return reportProof((bank, problems) =>
    restoreInto(bank, {
      ...options,
      plan,
      prepare: (cluster, until) =>
        asOwner(cluster, async (run) => {
          console.log(`Restored as of ${until}.`)
          problems.push(...(await proveCopy(run, plan.manifest.counts, 'when it was copied')))
        }),
    }),
  )
}

/**
 * Verifies a pgBackRest backup of the operator's own PostgreSQL by restoring it. The command must run on the machine that has
 * the backups.
 */
async function verifyPgBackRest(args: PgBackRestAsked, signal: AbortSignal): Promise<number> {
  const { appUrl } = await findBank()
  const minCounts = await askAt(appUrl, (run) => countLedger(run, ARCHIVED_WITHIN_MINUTES))
  return reportProof(async (folder, problems) => {
    const database = decodeURIComponent(new URL(appUrl).pathname.slice(1))
    await restoreFromPgBackRest({ ...args, folder, database, signal }, async (client) => {
      const words = `in the bank ${ARCHIVED_WITHIN_MINUTES} minutes ago`
      problems.push(...(await proveCopy(runOn(client), minCounts, words)))
    })
    if (problems.length === 0) await askAt(appUrl, recordVerification)
  })
}

/** Records a successful verification in the bank from which the backup was made, if the bank runs on this machine. */
async function noteAtItsBank({ bank }: RestorePlan): Promise<void> {
  const { dataDir } = readConfig(process.env)
  const [ownerUrl, cluster] = [findRunning(dataDir), findRunningCluster(dataDir)]
  if (!ownerUrl || !cluster) return
  const { rows } = await askAt(cluster.superuserUrl, (run) =>
    run('SELECT system_identifier::text AS id FROM pg_control_system()'),
  )
  if (rows[0]?.['id'] === bank.systemIdentifier) await askAt(ownerUrl, recordVerification)
}

/**
 * The time in minutes after which a booking must be in the archive. PostgreSQL archives its log every minute, unless archiving
 * has stopped.
 */
const ARCHIVED_WITHIN_MINUTES = 10

/**
 * Runs `prove` with a temporary folder into which a backup can be restored, and prints the problems found. Returns the exit
 * code.
 */
async function reportProof(prove: (folder: string, problems: string[]) => Promise<unknown>): Promise<number> {
  const problems: string[] = []
  await withTemporary((folder) => prove(folder, problems))
  for (const problem of problems) console.log(`WRONG  ${problem}`)
  console.log(problems.length === 0 ? 'The backup is good.' : 'The backup is not good.')
  return problems.length === 0 ? 0 : 1
}

/**
 * Checks a restored copy. Rows are never deleted, so the copy must have at least as many rows of each kind as `minCounts` says,
 * and its books must balance. Returns the problems.
 */
async function proveCopy(run: Run, minCounts: Record<string, number>, timeText: string): Promise<string[]> {
  const counts = await countLedger(run)
  const shortfalls = Object.entries(minCounts).flatMap(([name, before]) => {
    const count = counts[name] ?? 0
    console.log(`${name.padEnd(12)}${String(count).padStart(12)}  (${before} ${timeText})`)
    return count < before ? [`${name}: ${count}, and there were ${before}`] : []
  })
  await run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const { problems, entries } = await auditBooks(run)
  if (problems.length === 0) console.log(`The books balance: ${entries} entries.`)
  return [...shortfalls, ...problems]
}

const asOwner = (cluster: EmbeddedCluster, work: (run: Run) => Promise<void>): Promise<void> =>
  askAt(cluster.ownerUrl(), work)

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
