import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { endAll } from '#server/faults/bank-process.ts'
import { startCluster } from '#server/platform/db/embedded.ts'

/** A PostgreSQL server for one test, with its address and a superuser, as an operator has it. */
export type OwnCluster = {
  dir: string
  port: number
  /** The password of `postgres` and of the database's owner. */
  password: string
  /** Returns the owner's TCP address of a database. */
  ownerUrl(database?: string): string
  /** Runs statements as `postgres`, one after the other. */
  asSuperuser(...statements: string[]): Promise<void>
  remove(): Promise<void>
}

export async function ownCluster(): Promise<OwnCluster> {
  const dir = mkdtempSync(join(tmpdir(), 'alder-faults-'))
  chmodSync(dir, 0o711)
  const cluster = await startCluster({ dir })
  const password = readFileSync(join(dir, 'database-password'), 'utf8').trim()
  const port = Number(new URL(cluster.ownerUrl()).port)
  const ownerUrl = (database = 'alder') => `postgres://alder_owner:${password}@127.0.0.1:${port}/${database}`
  return {
    dir,
    port,
    password,
    ownerUrl,
    asSuperuser: async (...statements) => {
      const client = new Client({ connectionString: `postgres://postgres:${password}@127.0.0.1:${port}/postgres` })
      await client.connect()
      for (const statement of statements) await client.query(statement)
      await client.end()
    },
    remove: async () => {
      await cluster.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/**
 * Provides a server for a test file, with a folder for the banks of its tests. The banks are ended after the last test. The
 * result is filled in before the first test.
 */
export function useOwnCluster(): { cluster: OwnCluster; dir: string } {
  const state = { dir: '' } as { cluster: OwnCluster; dir: string }
  beforeAll(async () => {
    state.cluster = await ownCluster()
    state.dir = mkdtempSync(join(tmpdir(), 'alder-faults-'))
  })
  afterAll(async () => {
    await endAll()
    await state.cluster.remove()
    rmSync(state.dir, { recursive: true, force: true })
  })
  return state
}

/** Returns an address with some parts replaced. */
export function changed(
  url: string,
  parts: Partial<Record<'username' | 'password' | 'port' | 'hostname' | 'search', string>>,
) {
  return Object.assign(new URL(url), parts).toString()
}
