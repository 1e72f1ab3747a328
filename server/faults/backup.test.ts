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
/** One restore takes ten seconds on a busy machine. */
const LIMIT = { timeout: 900_000 }

let used: PopulatedFolder
let root: string
let data: string
let dir: string
let bank: BankProcess
beforeAll(async () => {
  used = await makePopulatedFolder()
})
afterAll(() => used.remove())
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
    used.copyTo(data)
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
const refused = (err: string | RegExp) => ({ code: 1, out: '', err: expect.stringMatching(err) })

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
  const sent: SentTransfer[] = []
  let going = true
  const send = async (): Promise<void> => {
    const one: SentTransfer = { key: randomUUID(), sentAt: now(), acknowledged: null }
    sent.push(one)
    const body = { recipient: customer.email, amountMinor: 1, asset: 'USD' }
    const answer = await sender.post('/api/v1/transfers', body, { key: one.key }).catch(() => null)
    if (answer?.status === 200) one.acknowledged = now()
    else await sleep(50)
  }
  const work = async (): Promise<void> => {
    while (going) await send()
  }
  const working = Promise.all(Array.from({ length: connections }, work))
  return {
    sent,
    send,
    stop: async () => {
      going = false
      await working
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
async function expectAsOf(folder: string, sent: readonly SentTransfer[], at: Temporal.Instant): Promise<void> {
  await look(folder, async (client) => {
    const { rows } = await client.query('SELECT id FROM ledger.operation WHERE id = ANY($1)', [
      sent.map(({ key }) => key),
    ])
    const there = new Set(rows.map(({ id }) => id))
    const isBefore = (instant: Temporal.Instant | null) => instant !== null && Temporal.Instant.compare(instant, at) < 0
    expect(sent.filter(({ key, acknowledged }) => isBefore(acknowledged) && !there.has(key))).toEqual([])
    expect(sent.filter(({ key, sentAt }) => !isBefore(sentAt) && there.has(key))).toEqual([])
    expect((await auditBooks(runOn(client))).problems).toEqual([])
  })
}

test('under a load of sends, the bank can be restored to the exact operation at any moment', LIMIT, async () => {
  const sender = await openSender()
  expect(await run('backup', [dir])).toMatchObject({ code: 0, err: '' })
  const first = now()
  await sleep(3_000)
  expect(await run('backup', [dir])).toMatchObject({ code: 0, err: '' })
  await sleep(3_000)
  // PostgreSQL crashes between the backups and the last payments. Its log continues where it stopped.
  process.kill(Number(readFileSync(join(data, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
  await sleep(5_000)
  await sender.stop()
  const last = now()
  await sleep(5_000)
  expect(findCompleteBases(dir)).toHaveLength(2)
  const span = last.since(first).total('milliseconds')
  for (let moment = 0; moment < MOMENTS; moment += 1) {
    const at = first.add({ milliseconds: randomInt(Math.floor(span)) })
    const to = join(root, `restored-${moment}`)
    expect(await run('restore', [dir, '--to', to, '--at', at.toString()])).toMatchObject({ code: 0, err: '' })
    await expectAsOf(to, sender.sent, at)
    rmSync(to, { recursive: true })
  }
  const to = join(root, 'latest')
  expect(await run('restore', [dir, '--to', to])).toMatchObject({ code: 0, err: '' })
  await expectAsOf(to, sender.sent, last.add({ seconds: 1 }))
})

test('after a kill -9 of the bank and its database, the operations acknowledged four seconds before are in the backup', async () => {
  const sender = await openSender()
  await run('backup', [dir])
  await sleep(4_000)
  const postmaster = Number(readFileSync(join(data, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  const killed = now()
  process.kill(postmaster, 'SIGKILL')
  await bank.end('SIGKILL')
  await sender.stop()
  const to = join(root, 'restored')
  expect(await run('restore', [dir, '--to', to])).toMatchObject({ code: 0, err: '' })
  await look(to, async (client) => {
    const { rows } = await client.query('SELECT id FROM ledger.operation')
    const there = new Set(rows.map(({ id }) => id))
    const limit = killed.subtract({ milliseconds: 4_000 })
    const confirmed = sender.sent.filter(
      ({ acknowledged }) => acknowledged && Temporal.Instant.compare(acknowledged, limit) < 0,
    )
    expect(confirmed.filter(({ key }) => !there.has(key))).toEqual([])
    expect((await auditBooks(runOn(client))).problems).toEqual([])
  })
})

test.each([0, 300, 800, 1_500])(
  'a backup that is killed after %i ms does not count, and the next one is complete',
  async (ms) => {
    const killed = command('backup', [dir])
    await sleep(ms)
    killed.kill()
    await killed.done
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
  const to = join(root, 'restored')
  expect(await run('restore', [dir, '--to', to])).toMatchObject({ code: 0 })
  await expectAsOf(to, sender.sent, now())
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
  const to = join(root, 'restored')
  expect(await run('restore', [dir, '--to', to])).toMatchObject({ code: 0 })
  await expectAsOf(to, sender.sent, now())
})

test('an impossible restore is refused in one sentence, and leaves no files behind', LIMIT, async () => {
  expect(await run('restore', [dir, '--verify'])).toEqual(refused(/ is no folder of backups\.$/))
  await run('backup', [dir])
  await sleep(3_000)
  const to = join(root, 'restored')
  const restore = (...args: string[]) => run('restore', [dir, '--to', to, ...args])
  expect(await restore('--at', '2020-01-01T00:00:00Z')).toEqual(refused(/^The oldest backup in .+ is of .+\.$/))
  expect(await restore('--at', now().add({ hours: 1 }).toString())).toEqual(
    refused(/^The backup in .+ goes up to .+\.$/),
  )
  expect(await restore('--at', 'yesterday')).toEqual(
    refused(/^--at is a time with its zone, .+, or latest; not "yesterday"\.$/),
  )
  expect(await run('restore', [dir, '--to', data])).toEqual(refused(/ is not empty: restore into a new folder\.$/))
  const other = { BACKUP_PASSPHRASE: 'another passphrase' }
  expect(await run('restore', [dir, '--to', to], other)).toEqual(refused(/^The passphrase is not the one .+\.$/))
  expect(await run('restore', [dir, '--to', to], { BACKUP_PASSPHRASE: '' })).toEqual(
    refused(/^Set BACKUP_PASSPHRASE .+\.$/),
  )
  expect(await run('backup', [join(data, 'postgres', 'backups')])).toEqual(
    refused(/ is inside the folder that is backed up: .+\.$/),
  )
  expect(await run('restore', [dir])).toEqual(refused(/^Usage: /))
  expect(existsSync(to)).toBe(false)

  // A running bank would rewrite the files that the next steps damage.
  await bank.end('SIGTERM')
  const base = findCompleteBases(dir)[0]?.path ?? ''
  const spoil = async (file: string, change: (content: Buffer) => Buffer, sentence: RegExp) => {
    copyFileSync(file, join(root, 'kept'))
    writeFileSync(file, change(readFileSync(file)))
    expect(await restore(), file).toEqual(refused(sentence))
    expect(existsSync(to)).toBe(false)
    copyFileSync(join(root, 'kept'), file)
  }
  const flip = (content: Buffer) => {
    const at = Math.floor(content.length / 2)
    content[at] = (content[at] ?? 0) ^ 1
    return content
  }
  const damaged = / is damaged: restore from another backup\.$/
  await spoil(join(base, 'data'), flip, damaged)
  await spoil(join(base, 'data'), (content) => content.subarray(0, content.length / 2), damaged)
  await spoil(join(base, 'manifest.json'), flip, damaged)
  await spoil(join(dir, 'log', 'position.json'), flip, damaged)
  const segment = join(dir, 'log', readdirSync(join(dir, 'log')).find((name) => name.endsWith('.gz')) ?? '')
  await spoil(segment, flip, damaged)
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
    const to = join(root, 'restored')
    await run('restore', [dir, '--to', to])
    data = to
    bank = await startBank({ dir: to })
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
    const client = new pg.Client({ connectionString: findRunning(to) ?? '' })
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
      refused(/ holds the backups of another bank, or of this one before a restore: .+\.$/),
    )
    expect(await run('backup', [join(root, 'next')])).toMatchObject({ code: 0 })
    expect(await run('restore', [join(root, 'next'), '--verify'])).toMatchObject({ code: 0 })
    expect(await run('backup', ['--off'])).toMatchObject({ code: 0 })
  },
)

test('a backup whose folder is missing is refused, and creates no other folder in its place', LIMIT, async () => {
  await run('backup', [dir])
  renameSync(dir, `${dir}.away`)
  expect(await run('backup', [dir])).toEqual(refused(/ is not there, and the bank keeps its log in it: .+\.$/))
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
  const before = now()
  await sleep(1_000)
  await nextSegment()
  await sleep(2_000)
  // This time is in a log segment of which the folder has only the beginning.
  const atTheEnd = now()
  await sleep(3_000)
  // The operator uses a second disk on alternate nights.
  await run('backup', [join(root, 'other')])
  await nextSegment()
  const within = now()
  await nextSegment()
  let output = ''
  bank.child.stdout?.on('data', (part: Buffer) => (output += String(part)))
  await run('backup', [dir])
  await until('the gap is reported', 10_000, () => output.includes(`The log in ${dir} has a gap from `))
  await sleep(3_000)
  await sender.stop()
  await bank.end('SIGTERM')
  const to = join(root, 'restored')
  const lacks = / lacks a part of its log, [0-9A-F]{24}: restore to a time before or after the gap\.$/
  expect(await run('restore', [dir, '--to', to, '--at', within.toString()])).toEqual(refused(lacks))
  expect(existsSync(to)).toBe(false)
  expect(await run('restore', [dir, '--to', to, '--at', before.toString()])).toMatchObject({ code: 0, err: '' })
  await expectAsOf(to, sender.sent, before)
  rmSync(to, { recursive: true })
  expect(await run('restore', [dir, '--to', to, '--at', atTheEnd.toString()])).toMatchObject({ code: 0, err: '' })
  await expectAsOf(to, sender.sent, atTheEnd)
  expect(await run('restore', [dir, '--to', join(root, 'latest')])).toMatchObject({ code: 0, err: '' })
  await expectAsOf(join(root, 'latest'), sender.sent, now())
})

test('banks restored or copied from the same bank do not write into one folder', LIMIT, async () => {
  await run('backup', [dir])
  await sleep(3_000)
  await bank.end('SIGTERM')
  const [one, two, copy, next] = ['one', 'two', 'copy', 'next'].map((name) => join(root, name)) as [
    string,
    string,
    string,
    string,
  ]
  for (const to of [one, two]) expect(await run('restore', [dir, '--to', to])).toMatchObject({ code: 0 })
  const another = refused(/ holds the backups of another bank, or of this one before a restore: name another folder\.$/)
  data = one
  bank = await open()
  expect(await run('backup', [next])).toMatchObject({ code: 0 })
  await bank.end('SIGTERM')
  data = two
  bank = await open()
  expect(await run('backup', [next])).toEqual(another)
  await bank.end('SIGTERM')
  // The operator copies a folder to try something out.
  execFileSync('cp', ['-a', one, copy])
  data = copy
  const position = readFileSync(join(next, 'log', 'position.json'), 'utf8')
  bank = await open()
  await sleep(5_000)
  expect(readFileSync(join(next, 'log', 'position.json'), 'utf8')).toBe(position)
  expect(await run('backup', [next])).toEqual(another)
  await bank.end('SIGTERM')
  // A folder that was moved is the same bank.
  renameSync(one, (data = join(root, 'moved')))
  bank = await open()
  expect(await run('backup', [next])).toMatchObject({ code: 0 })
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
    const left = readdirSync(temporary)
    expect(left).toHaveLength(1)
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
    const stopped = { code: 1, err: 'Stopped before the end: nothing was restored, and no files are left.' }
    const to = join(root, 'restored')
    const databases = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split(`${root}/`).length - 1
    const before = databases()
    for (const ms of [0, 300, 700, 1_200]) {
      for (const args of [['--verify'], ['--to', to]]) {
        const restore = command('restore', [dir, ...args], { TMPDIR: temporary })
        await until(
          'the restore has begun',
          20_000,
          () => readdirSync(temporary).length > 0 || existsSync(`${to}.restoring`),
        )
        await sleep(ms)
        restore.kill('SIGTERM')
        const result = await restore.done
        if (result.code !== 0) expect(result).toMatchObject(stopped)
        expect(readdirSync(temporary)).toEqual([])
        expect(existsSync(`${to}.restoring`)).toBe(false)
        expect(databases()).toBe(before)
        rmSync(to, { recursive: true, force: true })
      }
    }
    const both = await Promise.all([run('restore', [dir, '--to', to]), run('restore', [dir, '--to', to])])
    expect(both.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(both).toContainEqual(refused(/^Another restore to .+ is under way\.$/))
    await expectAsOf(to, [], now())
  },
)
