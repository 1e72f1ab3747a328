import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startCluster, type EmbeddedCluster } from '#server/platform/db/embedded.ts'
import { lockDataDir } from '#server/platform/db/embedded-lock.ts'
import { stopLeftover } from '#server/platform/db/embedded-postmaster.ts'
import { prepareDatabase } from '#server/boot/prepare.ts'
import { provideTestContext } from '#server/test/context.ts'

const PREFIX = 'alder-test-'

/** Starts one PostgreSQL for a whole test run, with one migrated template database, and removes it at the end. */
export default async function setup(): Promise<() => Promise<void>> {
  await sweep()
  const { dir, cluster } = await startTestCluster()
  const tearDown = async (): Promise<void> => {
    await cluster.stop()
    rmSync(dir, { recursive: true, force: true })
  }
  try {
    const ownerUrl = cluster.ownerUrl('template_bank')
    const secret = randomBytes(32).toString('base64url')
    await createDatabase(cluster.ownerUrl(), 'template_bank')
    await prepareDatabase({ ownerUrl, secret, mode: 'sample', timeZone: 'UTC' })
    provideTestContext({ templateUrl: ownerUrl, secret })
    return tearDown
  } catch (error) {
    await tearDown()
    throw error
  }
}

const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  // The folder may be in memory (scripts/test.mjs), so the log is kept small.
  max_wal_size: '256MB',
}

/** Starts a PostgreSQL in a temporary folder. It does not wait for the disk, because it need not survive a power failure. */
async function startTestCluster(): Promise<{ dir: string; cluster: EmbeddedCluster }> {
  const dir = mkdtempSync(join(tmpdir(), PREFIX))
  chmodSync(dir, 0o711)
  const cluster = await startCluster({ dir, settings: SETTINGS })
  return { dir, cluster }
}

async function createDatabase(ownerUrl: string, name: string): Promise<void> {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
}

/** Removes folders that killed test runs left behind. A run in progress holds its folder's lock. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const dir = join(tmpdir(), name)
    if (!existsSync(join(dir, 'lock'))) continue
    try {
      const lock = lockDataDir(dir)
      await stopLeftover(join(dir, 'postgres'))
      rmSync(dir, { recursive: true, force: true })
      lock.release()
    } catch {
      // The folder belongs to another run or another user and must stay.
    }
  }
}
