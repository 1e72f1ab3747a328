import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'
import { appUrl } from '#server/platform/db/migrate.ts'

export type TestDatabase = {
  /** For the role that migrates. */
  ownerUrl: string
  /** For the role that serves. */
  appUrl: string
  drop(): Promise<void>
}

/** A fresh database with every migration run and nothing else in it. The caller drops it. */
export async function testDatabase(): Promise<TestDatabase> {
  const templateUrl = inject('templateUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await asOwner(templateUrl, `CREATE DATABASE ${name} TEMPLATE template_bank`)
  const ownerUrl = withDatabase(templateUrl, name)
  return {
    ownerUrl,
    appUrl: appUrl(ownerUrl, inject('secret')),
    // Without FORCE: the owner may not end the serving role's connections, and PostgreSQL waits 5 s for those that are closing.
    drop: () => asOwner(templateUrl, `DROP DATABASE ${name}`),
  }
}

async function asOwner(url: string, statement: string): Promise<void> {
  // Not the template itself: PostgreSQL copies a database only while nobody is connected to it.
  const client = new Client({ connectionString: withDatabase(url, 'alder') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.toString()
}
