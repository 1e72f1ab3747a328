import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { auditBooks } from '#server/ledger/audit.ts'
import { type BankProcess, endAll, startBank, until } from '#server/faults/bank-process.ts'
import { makePopulatedFolder, type PopulatedFolder } from '#server/faults/populated-folder.ts'
import { findCompleteBases } from '#server/platform/backup/folder.ts'
import { findRunning, findRunningCluster, startCluster } from '#server/platform/db/embedded.ts'
import { lockDataDir } from '#server/platform/db/embedded-lock.ts'
import { runOn } from '#server/platform/db/run.ts'
import { openBrowser } from '#server/test/browser.ts'

const PASSPHRASE = 'correct horse battery staple'
/** The number of points in time to restore, between the first backup and the last operation. */
const MOMENTS = 20
/** The place of a checksum in a file of gzip: the last eight bytes are the checksum and the length. */
const CHECKSUM_FROM_END = 8
/** One restore takes ten seconds on a busy machine. */
const LIMIT = { timeout: 900_000 }

let populatedFolder: PopulatedFolder
let root: string
let data: string
let dir: string
let bank: BankProcess
beforeAll(async () => {
  populatedFolder = await makePopulatedFolder()
})
afterAll(() => populatedFolder.remove())
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'alder-backup-'))
  // PostgreSQL's user needs to traverse this folder.
  chmodSync(root, 0o711)
  ;[data, dir] = [join(root, 'data'), join(root, 'backups')]
  bank = await open()
})
afterEach(async () => {
  await endAll()
  rmSync(root, { recursive: true, force: true })
})

/** Starts a bank on a data folder that was used before. */
async function open(): Promise<BankProcess> {
  if (!existsSync(data)) {
    mkdirSync(data, { mode: 0o711 })
    populatedFolder.copyTo(data)
  }
  return startBank({ dir: data, main: 'server/faults/bank-without-limits.ts' })
}

type CommandResult = { code: number; out: string; err: string }

/** Runs a command in the same way as `npm run`. */
function command(
  name: string,
  args: string[],
  env: Record<string, string> = {},
): { done: Promise<CommandResult>; kill(signal?: NodeJS.Signals): void } {
  const { promise, resolve } = Promise.withResolvers<CommandResult>()
  const options = { env: { PATH: process.env['PATH'], DATA_DIR: data, BACKUP_PASSPHRASE: PASSPHRASE, ...env } }
  const child = execFile(process.execPath, [`server/cli/${name}.ts`, ...args], options, (_error, out, err) =>
    resolve({ code: child.exitCode ?? -1, out: out.trim(), err: err.trim() }),
  )
  return { done: promise, kill: (signal = 'SIGKILL') => void child.kill(signal) }
}

const run = (name: string, args: string[], env: Record<string, string> = {}) => command(name, args, env).done
const refusalWith = (err: string | RegExp) => ({ code: 1, out: '', err: expect.stringMatching(err) })

const now = () => Temporal.Now.instant()
type SentTransfer = { key: string; sentAt: Temporal.Instant; acknowledged: Temporal.Instant | null }

/** Opens a customer who sends another customer one cent at a time, over several connections, until stopped. */
async function openSender(connections = 4) {
  const place = () => bank.url
  const [sender, recipient] = [openBrowser(place), openBrowser(place)]
  await sender.post('/api/v1/session/visit')
  await recipient.post('/api/v1/session/visit')
  const { customer } = await (await recipient.get('/api/v1/me')).json()
  await sender.post('/api/v1/top-ups', { amountMinor: 1_000_000, asset: 'USD', method: 'card' })
  const sentTransfers: SentTransfer[] = []
  let isGoing = true
  const send = async (): Promise<void> => {
    const transfer: SentTransfer = { key: randomUUID(), sentAt: now(), acknowledged: null }
    sentTransfers.push(transfer)
    const body = { recipient: customer.email, amountMinor: 1, asset: 'USD' }
    const answer = await sender.post('/api/v1/transfers', body, { key: transfer.key }).catch(() => null)
    if (answer?.status === 200) transfer.acknowledged = now()
    else await sleep(50)
  }
  const work = async (): Promise<void> => {
    while (isGoing) await send()
  }
  const workers = Promise.all(Array.from({ length: connections }, work))
  return {
    sent: sentTransfers,
    send,
    stop: async () => {
      isGoing = false
      await workers
    },
  }
}

/** Starts PostgreSQL alone on a restored folder, without the bank. */
async function look<Result>(folder: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const cluster = await startCluster({ dir: folder })
  const client = new pg.Client({ connectionString: cluster.ownerUrl() })
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
    await cluster.stop()
  }
}

/**
 * Checks a restore to a point in time: payments acknowledged before it exist, payments begun after it do not, and the books
 * balance.
 */
async function expectAsOf(
  folder: string,
  sentTransfers: readonly SentTransfer[],
  restoreTime: Temporal.Instant,
): Promise<void> {
  await look(folder, async (client) => {
    const { rows } = await client.query('SELECT id FROM ledger.operation WHERE id = ANY($1)', [
      sentTransfers.map(({ key }) => key),
    ])
    const restoredIds = new Set(rows.map(({ id }) => id))
    const isBefore = (instant: Temporal.Instant | null) =>
      instant !== null && Temporal.Instant.compare(instant, restoreTime) < 0
    expect(sentTransfers.filter(({ key, acknowledged }) => isBefore(acknowledged) && !restoredIds.has(key))).toEqual([])
    expect(sentTransfers.filter(({ key, sentAt }) => !isBefore(sentAt) && restoredIds.has(key))).toEqual([])
    expect((await auditBooks(runOn(client))).problems).toEqual([])
  })
}

test('under a load of sends, the bank can be restored to the exact operation at any moment', LIMIT, async () => {
  const sender = await openSender()
  expect(await run('backup', [dir])).toMatchObject({ code: 0, err: '' })
  const firstBackupAt = now()
  await sleep(3_000)
  expect(await run('backup', [dir])).toMatchObject({ code: 0, err: '' })
  await sleep(3_000)
  // PostgreSQL crashes between the backups and the last payments. Its log continues where it stopped.
  process.kill(Number(readFileSync(join(data, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
  await sleep(5_000)
  await sender.stop()
  const lastSendAt = now()
  await sleep(5_000)
  expect(findCompleteBases(dir)).toHaveLength(2)
  const span = lastSendAt.since(firstBackupAt).total('milliseconds')
  for (let moment = 0; moment < MOMENTS; moment += 1) {
    const restoreTime = firstBackupAt.add({ milliseconds: randomInt(Math.floor(span)) })
    const momentDir = join(root, `restored-${moment}`)
    expect(await run('restore', [dir, '--to', momentDir, '--at', restoreTime.toString()])).toMatchObject({
      code: 0,
      err: '',
    })
    await expectAsOf(momentDir, sender.sent, restoreTime)
    rmSync(momentDir, { recursive: true })
  }
  const restoredDir = join(root, 'latest')
  expect(await run('restore', [dir, '--to', restoredDir])).toMatchObject({ code: 0, err: '' })
  await expectAsOf(restoredDir, sender.sent, lastSendAt.add({ seconds: 1 }))
})

test('after a kill -9 of the bank and its database, the operations acknowledged four seconds before are in the backup', async () => {
  const sender = await openSender()
  await run('backup', [dir])
  await sleep(4_000)
  const postmaster = Number(readFileSync(join(data, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  const killedAt = now()
  process.kill(postmaster, 'SIGKILL')
  await bank.end('SIGKILL')
  await sender.stop()
  const restoredDir = join(root, 'restored')
  expect(await run('restore', [dir, '--to', restoredDir])).toMatchObject({ code: 0, err: '' })
  await look(restoredDir, async (client) => {
    const { rows } = await client.query('SELECT id FROM ledger.operation')
    const restoredIds = new Set(rows.map(({ id }) => id))
    const limit = killedAt.subtract({ milliseconds: 4_000 })
    const confirmedTransfers = sender.sent.filter(
      ({ acknowledged }) => acknowledged && Temporal.Instant.compare(acknowledged, limit) < 0,
    )
    expect(confirmedTransfers.filter(({ key }) => !restoredIds.has(key))).toEqual([])
    expect((await auditBooks(runOn(client))).problems).toEqual([])
  })
})

test.each([0, 300, 800, 1_500])(
  'a backup that is killed after %i ms does not count, and the next one is complete',
  async (ms) => {
    const killedBackup = command('backup', [dir])
    await sleep(ms)
    killedBackup.kill()
    await killedBackup.done
    if (existsSync(dir)) expect(findCompleteBases(dir)).toEqual([])
    expect(await run('backup', [dir])).toMatchObject({ code: 0, err: '' })
    expect(findCompleteBases(dir)).toHaveLength(1)
    expect(readdirSync(dir).filter((name) => name.endsWith('.part'))).toEqual([])
    expect(await run('restore', [dir, '--verify'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/The backup is good\.$/),
    })
  },
)

test('a restarted bank continues its backup, and new copies replace old ones', async () => {
  await run('backup', [dir, '--keep', '2'])
  await bank.end('SIGTERM')
  bank = await open()
  const sender = await openSender(1)
  await sleep(1_000)
  for (const baseCount of [2, 2, 2]) {
    expect(await run('backup', [dir, '--keep', '2'])).toMatchObject({ code: 0 })
    expect(findCompleteBases(dir)).toHaveLength(baseCount)
  }
  await sender.stop()
  await bank.end('SIGTERM')
  const restoredDir = join(root, 'restored')
  expect(await run('restore', [dir, '--to', restoredDir])).toMatchObject({ code: 0 })
  await expectAsOf(restoredDir, sender.sent, now())
})

test('a missing folder is reported, and the backup continues when it is back', LIMIT, async () => {
  let output = ''
  bank.child.stdout?.on('data', (part: Buffer) => (output += String(part)))
  const sender = await openSender(1)
  await run('backup', [dir])
  renameSync(dir, `${dir}.away`)
  await until('the missing folder is reported', 20_000, () =>
    output.includes(`The backup has stopped: ${dir} is not there.`),
  )
  await sleep(3_000)
  expect(existsSync(dir)).toBe(false)
  renameSync(`${dir}.away`, dir)
  await until('the backup continues', 20_000, () => output.includes('The backup continues.'))
  await sender.stop()
  await bank.end('SIGTERM')
  const restoredDir = join(root, 'restored')
  expect(await run('restore', [dir, '--to', restoredDir])).toMatchObject({ code: 0 })
  await expectAsOf(restoredDir, sender.sent, now())
})

test('an impossible restore is refused in one sentence, and leaves no files behind', LIMIT, async () => {
  expect(await run('restore', [dir, '--verify'])).toEqual(refusalWith(/ is no folder of backups\.$/))
  await run('backup', [dir])
  await sleep(3_000)
  const restoredDir = join(root, 'restored')
  const restore = (...args: string[]) => run('restore', [dir, '--to', restoredDir, ...args])
  expect(await restore('--at', '2020-01-01T00:00:00Z')).toEqual(refusalWith(/^The oldest backup in .+ is of .+\.$/))
  expect(await restore('--at', now().add({ hours: 1 }).toString())).toEqual(
    refusalWith(/^The backup in .+ goes up to .+\.$/),
  )
  expect(await restore('--at', 'yesterday')).toEqual(
    refusalWith(/^--at is a time with its zone, .+, or latest; not "yesterday"\.$/),
  )
  expect(await run('restore', [dir, '--to', data])).toEqual(refusalWith(/ is not empty: restore into a new folder\.$/))
  const otherPassphrase = { BACKUP_PASSPHRASE: 'another passphrase' }
  expect(await run('restore', [dir, '--to', restoredDir], otherPassphrase)).toEqual(
    refusalWith(/^The passphrase is not the one .+\.$/),
  )
  expect(await run('restore', [dir, '--to', restoredDir], { BACKUP_PASSPHRASE: '' })).toEqual(
    refusalWith(/^Set BACKUP_PASSPHRASE .+\.$/),
  )
  expect(await run('backup', [join(data, 'postgres', 'backups')])).toEqual(
    refusalWith(/ is inside the folder that is backed up: .+\.$/),
  )
  expect(await run('restore', [dir])).toEqual(refusalWith(/^Usage: /))
  expect(existsSync(restoredDir)).toBe(false)

  // A running bank would rewrite the files that the next steps damage.
  await bank.end('SIGTERM')
  const base = findCompleteBases(dir)[0]?.path ?? ''
  const spoil = async (file: string, change: (content: Buffer) => Buffer, sentence: RegExp) => {
    copyFileSync(file, join(root, 'kept'))
    writeFileSync(file, change(readFileSync(file)))
    expect(await restore(), file).toEqual(refusalWith(sentence))
    expect(existsSync(restoredDir)).toBe(false)
    copyFileSync(join(root, 'kept'), file)
  }
  const flipAt = (at: number) => (content: Buffer) => {
    const index = at < 0 ? content.length + at : at
    content[index] = (content[index] ?? 0) ^ 1
    return content
  }
  // A bit within compressed zeros may be another way to write the same zeros, so this one is in the checksum at the end.
  const checksum = flipAt(-CHECKSUM_FROM_END)
  const damaged = / is damaged: restore from another backup\.$/
  await spoil(join(base, 'data'), checksum, damaged)
  await spoil(join(base, 'data'), (content) => content.subarray(0, content.length / 2), damaged)
  await spoil(join(base, 'manifest.json'), flipAt(100), damaged)
  await spoil(join(dir, 'log', 'position.json'), flipAt(20), damaged)
  const segment = join(dir, 'log', readdirSync(join(dir, 'log')).find((name) => name.endsWith('.gz')) ?? '')
  await spoil(segment, checksum, damaged)
  // Here the checksum is right, and the digest in the file's name is not.
  await spoil(segment, (content) => gzipSync(flipAt(100)(gunzipSync(content))), damaged)
  expect(await restore()).toMatchObject({ code: 0, err: '' })
})

test(
  'a restored bank is held: all customers are signed out and can only look, until the operator releases it',
  LIMIT,
  async () => {
    const sender = await openSender(1)
    await run('backup', [dir])
    await sender.stop()
    await sleep(3_000)
    await bank.end('SIGTERM')
    const restoredDir = join(root, 'restored')
    await run('restore', [dir, '--to', restoredDir])
    data = restoredDir
    bank = await startBank({ dir: restoredDir })
    const before = sender.sent.length
    await sender.send()
    expect(sender.sent[before]?.acknowledged).toBe(null)
    const readyz = async () => (await fetch(`${bank.url}/readyz`)).json()
    expect(await readyz()).toMatchObject({ status: 'ready', held: ['changes', 'mail', 'texts', 'push', 'rails'] })
    await until('the backup is late, too', 20_000, async () => (await readyz()).late.includes('held after a restore'))
    const listed = await run('held', [])
    expect(listed).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^The bank has all events until .+, and holds:$/m),
    })
    const client = new pg.Client({ connectionString: findRunning(restoredDir) ?? '' })
    await client.connect()
    expect((await client.query('SELECT FROM bank.session')).rowCount).toBe(0)
    await client.end()
    const visit = async () => (await openBrowser(() => bank.url).post('/api/v1/session/visit')).status
    expect(await visit()).toBe(503)
    expect(await run('held', ['--release', 'changes'])).toMatchObject({ code: 0, out: 'Released: changes.' })
    await until('a visitor is let in', 10_000, async () => (await visit()) === 200)
    expect(await run('held', ['--release', 'all'])).toMatchObject({
      code: 0,
      out: 'Released: mail, texts, push, rails.',
    })
    expect(await run('held', [])).toMatchObject({ code: 0, out: 'Nothing is held.' })
    // The restored bank is an independent bank and needs its own backup folder.
    expect(await run('backup', [dir])).toEqual(
      refusalWith(/ holds the backups of another bank, or of this one before a restore: .+\.$/),
    )
    expect(await run('backup', [join(root, 'next')])).toMatchObject({ code: 0 })
    expect(await run('restore', [join(root, 'next'), '--verify'])).toMatchObject({ code: 0 })
    expect(await run('backup', ['--off'])).toMatchObject({ code: 0 })
  },
)

test('a backup whose folder is missing is refused, and creates no other folder in its place', LIMIT, async () => {
  await run('backup', [dir])
  renameSync(dir, `${dir}.away`)
  expect(await run('backup', [dir])).toEqual(refusalWith(/ is not there, and the bank keeps its log in it: .+\.$/))
  expect(existsSync(dir)).toBe(false)
  renameSync(`${dir}.away`, dir)
  expect(await run('backup', [dir])).toMatchObject({ code: 0 })
  expect(findCompleteBases(dir)).toHaveLength(2)
  rmSync(dir, { recursive: true })
  expect(await run('backup', ['--off'])).toMatchObject({ code: 0 })
  expect(await run('backup', [dir])).toMatchObject({ code: 0 })
})

test('a moment before a gap in the log can be restored, and a moment within it is refused', LIMIT, async () => {
  const sender = await openSender(1)
  const nextSegment = async () => {
    const client = new pg.Client({ connectionString: findRunningCluster(data)?.superuserUrl ?? '' })
    await client.connect()
    await client.query('SELECT pg_switch_wal()')
    await client.end()
    await sleep(3_000)
  }
  await run('backup', [dir])
  await sleep(1_000)
  const beforeGap = now()
  await sleep(1_000)
  await nextSegment()
  await sleep(2_000)
  // This time is in a log segment of which the folder has only the beginning.
  const atTheEnd = now()
  await sleep(3_000)
  // The operator uses a second disk on alternate nights.
  await run('backup', [join(root, 'other')])
  await nextSegment()
  const withinGap = now()
  await nextSegment()
  let output = ''
  bank.child.stdout?.on('data', (part: Buffer) => (output += String(part)))
  await run('backup', [dir])
  await until('the gap is reported', 10_000, () => output.includes(`The log in ${dir} has a gap from `))
  await sleep(3_000)
  await sender.stop()
  await bank.end('SIGTERM')
  const restoredDir = join(root, 'restored')
  const lacks = / lacks a part of its log, [0-9A-F]{24}: restore to a time before or after the gap\.$/
  expect(await run('restore', [dir, '--to', restoredDir, '--at', withinGap.toString()])).toEqual(refusalWith(lacks))
  expect(existsSync(restoredDir)).toBe(false)
  expect(await run('restore', [dir, '--to', restoredDir, '--at', beforeGap.toString()])).toMatchObject({
    code: 0,
    err: '',
  })
  await expectAsOf(restoredDir, sender.sent, beforeGap)
  rmSync(restoredDir, { recursive: true })
  expect(await run('restore', [dir, '--to', restoredDir, '--at', atTheEnd.toString()])).toMatchObject({
    code: 0,
    err: '',
  })
  await expectAsOf(restoredDir, sender.sent, atTheEnd)
  expect(await run('restore', [dir, '--to', join(root, 'latest')])).toMatchObject({ code: 0, err: '' })
  await expectAsOf(join(root, 'latest'), sender.sent, now())
})

test('banks restored or copied from the same bank do not write into one folder', LIMIT, async () => {
  await run('backup', [dir])
  await sleep(3_000)
  await bank.end('SIGTERM')
  const [firstDir, secondDir, copiedDir, newBackupDir] = ['one', 'two', 'copy', 'next'].map((name) =>
    join(root, name),
  ) as [string, string, string, string]
  for (const restoredDir of [firstDir, secondDir])
    expect(await run('restore', [dir, '--to', restoredDir])).toMatchObject({ code: 0 })
  const foreignFolderRefusal = refusalWith(
    / holds the backups of another bank, or of this one before a restore: name another folder\.$/,
  )
  data = firstDir
  bank = await open()
  expect(await run('backup', [newBackupDir])).toMatchObject({ code: 0 })
  await bank.end('SIGTERM')
  data = secondDir
  bank = await open()
  expect(await run('backup', [newBackupDir])).toEqual(foreignFolderRefusal)
  await bank.end('SIGTERM')
  // The operator copies a folder to try something out.
  execFileSync('cp', ['-a', firstDir, copiedDir])
  data = copiedDir
  const position = readFileSync(join(newBackupDir, 'log', 'position.json'), 'utf8')
  bank = await open()
  await sleep(5_000)
  expect(readFileSync(join(newBackupDir, 'log', 'position.json'), 'utf8')).toBe(position)
  expect(await run('backup', [newBackupDir])).toEqual(foreignFolderRefusal)
  await bank.end('SIGTERM')
  // A folder that was moved is the same bank.
  renameSync(firstDir, (data = join(root, 'moved')))
  bank = await open()
  expect(await run('backup', [newBackupDir])).toMatchObject({ code: 0 })
})

test('a backup whose disk does not respond delays no request, and is late', LIMIT, async () => {
  await run('backup', [dir])
  await bank.end('SIGTERM')
  // A process that opens this pipe blocks, like one that reads a disk of an unreachable machine.
  rmSync(join(dir, 'bank.json'))
  execFileSync('mkfifo', [join(dir, 'bank.json')])
  bank = await open()
  const readyz = async () => (await fetch(`${bank.url}/readyz`, { signal: AbortSignal.timeout(2_000) })).json()
  expect(await readyz()).toMatchObject({ status: 'ready' })
  await until('the backup is late', 100_000, async () => (await readyz()).late.includes('backups that have stopped'))
  // Node would wait at its exit for the pending disk operation, so the bank ends itself with SIGKILL.
  const ended = bank.end('SIGTERM')
  await until('the bank has ended', 20_000, () => bank.child.signalCode !== null)
  expect([await ended, bank.child.signalCode]).toEqual([null, 'SIGKILL'])
  expect(existsSync(join(data, 'postgres', 'postmaster.pid'))).toBe(false)
})

test(
  'the files of a killed verification contain no secret, and the next verification removes them',
  LIMIT,
  async () => {
    await run('backup', [dir])
    const temporary = join(root, 'temporary')
    mkdirSync(temporary, { mode: 0o711 })
    const verify = () => command('restore', [dir, '--verify'], { TMPDIR: temporary })
    const databases = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split(`${temporary}/`).length - 1
    const verification = verify()
    await until('the database of the verification runs', 60_000, () => databases() > 0)
    verification.kill('SIGKILL')
    await verification.done
    const remainingFiles = readdirSync(temporary)
    expect(remainingFiles).toHaveLength(1)
    const secrets = ['secret', 'database-password'].map((name) => readFileSync(join(data, name), 'utf8').trim())
    for (const secret of secrets) {
      const matches = spawnSync('grep', ['-rlF', '--', secret, temporary], { encoding: 'utf8' })
      expect(matches.stdout).toBe('')
    }
    // A folder that another process still uses stays, and so does a file that is no verification folder.
    const [another, file] = [join(temporary, 'alder-verify-another'), join(temporary, 'alder-verify-file')]
    mkdirSync(another)
    const lock = lockDataDir(another)
    writeFileSync(file, '')
    expect(await verify().done).toMatchObject({ code: 0, out: expect.stringMatching(/The backup is good\.$/) })
    expect(readdirSync(temporary).toSorted()).toEqual(['alder-verify-another', 'alder-verify-file'])
    expect(databases()).toBe(0)
    lock.release()
  },
)

test(
  'a restore that is stopped leaves no files behind, and two simultaneous ones do not share a folder',
  LIMIT,
  async () => {
    await run('backup', [dir])
    await sleep(3_000)
    const temporary = join(root, 'temporary')
    mkdirSync(temporary, { mode: 0o711 })
    const stoppedResult = { code: 1, err: 'Stopped before the end: nothing was restored, and no files are left.' }
    const restoredDir = join(root, 'restored')
    const databases = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split(`${root}/`).length - 1
    const databasesBefore = databases()
    for (const ms of [0, 300, 700, 1_200]) {
      for (const args of [['--verify'], ['--to', restoredDir]]) {
        const restore = command('restore', [dir, ...args], { TMPDIR: temporary })
        await until(
          'the restore has begun',
          20_000,
          () => readdirSync(temporary).length > 0 || existsSync(`${restoredDir}.restoring`),
        )
        await sleep(ms)
        restore.kill('SIGTERM')
        const result = await restore.done
        if (result.code !== 0) expect(result).toMatchObject(stoppedResult)
        expect(readdirSync(temporary)).toEqual([])
        expect(existsSync(`${restoredDir}.restoring`)).toBe(false)
        expect(databases()).toBe(databasesBefore)
        rmSync(restoredDir, { recursive: true, force: true })
      }
    }
    const both = await Promise.all([
      run('restore', [dir, '--to', restoredDir]),
      run('restore', [dir, '--to', restoredDir]),
    ])
    expect(both.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(both).toContainEqual(refusalWith(/^Another restore to .+ is under way\.$/))
    await expectAsOf(restoredDir, [], now())
  },
)
