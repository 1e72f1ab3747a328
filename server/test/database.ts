import { randomUUID } from 'node:crypto'
import { Client, Pool } from 'pg'
import { appUrl } from '#server/platform/db/serving-role.ts'
import { surviveLostConnections } from '#server/platform/db/pool.ts'
import { prepareDatabase } from '#server/boot/prepare.ts'
import { testContext } from '#server/test/context.ts'

export type TestDatabase = {
  /** The address for the role that migrates. */
  ownerUrl: string
  /** The address for the role that serves. */
  appUrl: string
  drop(): Promise<void>
}

/**
 * The process's single connection for creating and dropping databases. Opening a connection takes as long as creating a
 * database.
 */
const maker = new Pool({
  // The connection is not to the template: PostgreSQL copies a database only while no one is connected to it.
  connectionString: withDatabase(testContext('templateUrl'), 'alder'),
  max: 1,
  allowExitOnIdle: true,
})
surviveLostConnections(maker)

/** Creates a new database with all migrations and no other content, or an empty one. The caller drops it. */
export async function testDatabase(template: 'template_bank' | 'template0' = 'template_bank'): Promise<TestDatabase> {
  const templateUrl = testContext('templateUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // FILE_COPY skips the log, which would double the time. Test databases need no recovery.
  await maker.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  const ownerUrl = withDatabase(templateUrl, name)
  return {
    ownerUrl,
    appUrl: appUrl(ownerUrl, testContext('secret')),
    // The statement has no FORCE, because the owner may not end the serving role's connections. PostgreSQL waits 5 s for
    // connections that are closing.
    drop: async () => void (await maker.query(`DROP DATABASE ${name}`)),
  }
}

/** Creates a new database with the days of a time zone, and sets the process to that zone. The caller drops it. */
export async function databaseWithDaysOf(timeZone: string): Promise<TestDatabase> {
  const database = await testDatabase('template0')
  const { ownerUrl } = database
  const url = await prepareDatabase({ ownerUrl, secret: testContext('secret'), mode: 'sample', timeZone })
  return { ...database, appUrl: url }
}

/** Runs one statement as the role that migrates, for actions that the serving role may not do. */
export async function runAsOwner(ownerUrl: string, text: string, values: unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await client.query(text, values)
  } finally {
    await client.end()
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.toString()
}
