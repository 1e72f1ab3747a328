import { randomUUID } from 'node:crypto'
import { Client, Pool } from 'pg'
import { appUrl } from '#server/platform/db/serving-role.ts'
import { surviveLostConnections } from '#server/platform/db/pool.ts'
import { prepareDatabase } from '#server/boot/prepare.ts'
import { testContext } from '#server/test/context.ts'

export type TestDatabase = {
  /** For the role that migrates. */
  ownerUrl: string
  /** For the role that serves. */
  appUrl: string
  drop(): Promise<void>
}

/** The one connection of this process that makes databases and drops them: opening one takes as long as making one. */
const maker = new Pool({
  // Not to the template itself: PostgreSQL copies a database only while nobody is connected to it.
  connectionString: withDatabase(testContext('templateUrl'), 'alder'),
  max: 1,
  allowExitOnIdle: true,
})
surviveLostConnections(maker)

/** A fresh database with every migration run and nothing else in it, or a quite empty one. The caller drops it. */
export async function testDatabase(template: 'template_bank' | 'template0' = 'template_bank'): Promise<TestDatabase> {
  const templateUrl = testContext('templateUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Not through the log, which would take as long again as the copy, and nobody recovers these.
  await maker.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  const ownerUrl = withDatabase(templateUrl, name)
  return {
    ownerUrl,
    appUrl: appUrl(ownerUrl, testContext('secret')),
    // Without FORCE: the owner may not end the serving role's connections, and PostgreSQL waits 5 s for those that are closing.
    drop: async () => void (await maker.query(`DROP DATABASE ${name}`)),
  }
}

/** A fresh database whose days are a zone's, which are the process's from now on. The caller drops it. */
export async function databaseWithDaysOf(timeZone: string): Promise<TestDatabase> {
  const database = await testDatabase('template0')
  const { ownerUrl } = database
  const url = await prepareDatabase({ ownerUrl, secret: testContext('secret'), mode: 'sample', timeZone })
  return { ...database, appUrl: url }
}

/** Runs one statement as the role that migrates, for what the serving role may not do. */
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
