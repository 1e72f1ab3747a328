import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { until } from '#server/faults/bank-process.ts'
import { startArchive } from '#server/platform/backup/archive.ts'
import { backUp } from '#server/platform/backup/base.ts'
import { findCompleteBases } from '#server/platform/backup/folder.ts'
import { planRestore } from '#server/platform/backup/restore.ts'
import { startCluster } from '#server/platform/db/embedded.ts'

test('a log that exceeds PostgreSQL’s retention is reported as lost, is late, and continues from a new backup', async () => {
  const root = mkdtempSync(join(tmpdir(), 'alder-backup-'))
  chmodSync(root, 0o711)
  const [data, dir] = [join(root, 'data'), join(root, 'backups')]
  mkdirSync(data, { mode: 0o711 })
  // A real bank has limits of 4 GB.
  const small = { max_slot_wal_keep_size: '32MB', max_wal_size: '32MB', min_wal_size: '32MB', fsync: 'off' }
  const cluster = await startCluster({ dir: data, settings: small })
  const messages: string[] = []
  const superuserUrl = cluster.superuserUrl()
  const archive = startArchive({
    dataDir: data,
    pgdata: cluster.pgdata,
    superuserUrl: cluster.superuserUrl,
    onTrouble: (sentence) => void messages.push(sentence),
    lateMs: 4_000,
  })
  const client = new pg.Client({ connectionString: cluster.ownerUrl() })
  const superuser = new pg.Client({ connectionString: superuserUrl })
  try {
    await Promise.all([client.connect(), superuser.connect()])
    await client.query('CREATE SCHEMA bank; CREATE TABLE bank.migration (name text)')
    const passphrase = 'correct horse battery staple'
    const options = {
      dir,
      dataDir: data,
      pgdata: cluster.pgdata,
      superuserUrl,
      ownerUrl: cluster.ownerUrl(),
      passphrase,
    }
    const secrets = { secret: 'x', databasePassword: 'y' }
    const take = () => backUp({ ...options, secrets, version: '1', keep: 7, count: async () => ({}) })
    await take()
    expect([archive.isLate(), messages]).toEqual([false, []])

    renameSync(dir, `${dir}.away`)
    const withinGap = Temporal.Now.instant()
    for (let segment = 0; segment < 8; segment += 1) {
      await client.query('CREATE TABLE more AS SELECT FROM generate_series(1, 1000); DROP TABLE more')
      await superuser.query('SELECT pg_switch_wal()')
    }
    await superuser.query('CHECKPOINT')
    const { rows } = await superuser.query('SELECT wal_status FROM pg_replication_slots')
    expect(rows).toEqual([{ wal_status: 'lost' }])
    await until('the backup is late', 20_000, () => archive.isLate())
    renameSync(`${dir}.away`, dir)
    await until('the loss is reported', 20_000, () =>
      messages.some((sentence) => sentence.includes('so make a new backup')),
    )
    expect(messages).toEqual([
      `The backup has stopped: ${dir} is not there.`,
      'The backup has stopped: PostgreSQL no longer keeps the log for it, so make a new backup.',
    ])
    expect(archive.isLate()).toBe(true)
    await expect(planRestore(dir, Temporal.Now.instant())).rejects.toThrow(/ goes up to /)

    await take()
    await until('the backup continues', 20_000, () => messages.includes('The backup continues.'))
    expect(archive.isLate()).toBe(false)
    expect(messages).toContainEqual(expect.stringMatching(/^The log in .+ has a gap from .+ on: /))
    expect(findCompleteBases(dir)).toHaveLength(2)
    expect((await planRestore(dir, null)).gap).toBeNull()
    expect((await planRestore(dir, withinGap)).gap).toMatch(/^[0-9A-F]{24}$/)
  } finally {
    await Promise.all([client.end(), superuser.end()])
    await archive.stop()
    await cluster.stop()
    rmSync(root, { recursive: true, force: true })
  }
})
