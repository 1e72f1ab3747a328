import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { accountNumberOf } from '#server/account-details/number.ts'
import { claimToken, operationOfClaimToken } from '#server/accounts/claim-link.ts'
import { prepareDatabase } from '#server/boot/prepare.ts'
import { rotate, SEALED_COLUMNS } from '#server/boot/rotate.ts'
import { findCardByNumber } from '#server/cards/card-usage.ts'
import { cvvOf, readCardNumber } from '#server/cards/numbers.ts'
import { replaceRecoveryCodes, takeRecoveryCode } from '#server/identity/two-factor/recovery-codes.ts'
import { vapidKeys } from '#server/notifications/push/keys.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import { servingRole } from '#server/platform/db/serving-role.ts'
import { startJobs } from '#server/platform/jobs/worker.ts'
import type { Secret } from '#server/platform/secrets/derived-key.ts'
import { seal, unseal } from '#server/platform/secrets/sealed.ts'
import { testContext } from '#server/test/context.ts'
import { runAsOwner } from '#server/test/database.ts'
import { type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'
import { giveSecondFactor } from '#server/test/second-factor.ts'

const first = testContext('secret')
let second: string
let third: string
let oldServer: PeopleServer
let ann: TestPerson
let owner: pg.Client

beforeEach(async () => {
  second = `second ${randomUUID()} ${first}`
  third = `third ${randomUUID()} ${first}`
  oldServer = await peopleServer()
  ann = await oldServer.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  owner = new pg.Client({ connectionString: oldServer.database.ownerUrl })
  await owner.connect()
})
afterEach(async () => {
  await owner.end()
  await oldServer.close()
})

const claimed = (secrets: Secret) => ({ ownerUrl: oldServer.database.ownerUrl, mode: 'sample' as const, ...secrets })

/** Starts another server of the bank with these secrets. */
async function serverWith(secrets: {
  secret: string
  earlierSecrets?: string[]
  nextSecret?: string
}): Promise<PeopleServer> {
  const appUrl = await prepareDatabase(claimed(secrets))
  return peopleServer({ config: secrets, beside: { database: { ...oldServer.database, appUrl } } })
}

/** Creates a row for each encrypted column, encrypted by the server with the first secret. */
async function sealEverything() {
  const { deps, database } = oldServer
  const id = ann.customer.id
  expect((await ann.browser.post('/api/v1/cards/main')).status).toBe(200)
  const card = await deps.db
    .selectFrom('bank.card')
    .select(['id', 'last_four as lastFour'])
    .where('customer_id', '=', id)
    .executeTakeFirstOrThrow()
  const number = await readCardNumber(deps, card)
  await giveSecondFactor(oldServer, ann)
  const codes = await inTransaction(deps.db, (trx) => replaceRecoveryCodes(deps, trx, id))
  const otherColumns = {
    'bank.kyc_document': `(id, content, customer_id, step, type, media_type, size_bytes, uploaded_at)
      VALUES ($1, $2, $3, 'id', 'passport', 'image/jpeg', 9, now())`,
    'bank.receipt_photo': `(id, content, customer_id, line_id, size_bytes, added_at) VALUES ($1, $2, $3, 'x', 9, now())`,
    'bank.mail': `(id, token, customer_id, recipient, kind, params, created_at)
      VALUES ($1, $2, $3, 'ann@example.com', 'claim', '{}', now())`,
    'bank.text_message': `(id, params, customer_id, recipient, kind, created_at, expires_at)
      VALUES ($1, $2, $3, '+12025550100', 'phone_code', now(), now())`,
  }
  for (const [table, columns] of Object.entries(otherColumns)) {
    const row = randomUUID()
    const name = SEALED_COLUMNS.find((sealed) => sealed.table === table)?.nameOf({ id: row, customer_id: id })
    const sealed = seal(deps.config, name ?? { kind: '', owner: '' }, Buffer.from('something'))
    await runAsOwner(database.ownerUrl, `INSERT INTO ${table} ${columns}`, [row, sealed, id])
  }
  return { codes, card, number }
}

/** Decrypts all encrypted values with the secrets, and returns the number of values by column. */
async function countOpened(secrets: Secret): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { table, key, column, parts = [], nameOf } of SEALED_COLUMNS) {
    const columns = [key, ...parts].join(', ')
    const { rows } = await owner.query(
      `SELECT ${columns}, ${column} AS content FROM ${table} WHERE ${column} IS NOT NULL`,
    )
    for (const row of rows) expect(unseal(secrets, nameOf(row), row.content).length).toBeGreaterThan(0)
    if (rows.length > 0) counts[table] = rows.length
  }
  return counts
}

test('every column of bytes is either resealed or declared as unsealed', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT table_schema || '.' || table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE data_type = 'bytea' AND table_schema IN ('bank', 'ledger') ORDER BY 1`,
  )
  const unsealed = [
    'bank.card_authorisation.digest',
    'bank.card_message.digest',
    // An earlier secret is itself encrypted (earlier-secrets.ts).
    'bank.earlier_secret.sealed',
    'bank.passkey.public_key',
  ]
  const listed = [...SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`), ...unsealed]
  expect(
    rows.map(({ name }) => name).filter((name) => !/^ledger\.(.*(fingerprint|digest)|seal_block\.names)/.test(name)),
  ).toEqual(listed.toSorted())
})

test('the secret changes while servers with the old or the new one run, and all data stays readable', async () => {
  const { codes, card, number } = await sealEverything()
  const { config } = oldServer.deps
  const derivedValues = {
    account: accountNumberOf(config, ann.customer.currentAccountId),
    cvv: cvvOf({ config }, { number, expiresOn: '2029-08-31' }),
    push: vapidKeys(config),
    token: claimToken(config, randomUUID()),
  }
  const before = await countOpened({ secret: first })
  expect(Object.keys(before).length).toBe(6)

  // One server also has the next secret, and the other server already uses it. Each server can read the values that the other
  // server writes.
  const readyServer = await serverWith({ secret: first, nextSecret: second })
  const nextServer = await serverWith({ secret: second, earlierSecrets: [first] })
  const late = seal({ secret: second }, { kind: 'link in a mail', owner: 'its reader' }, Buffer.from('late'))
  expect(unseal(readyServer.deps.config, { kind: 'link in a mail', owner: 'its reader' }, late).toString()).toBe('late')
  expect((await readyServer.browser().get('/readyz')).status).toBe(200)
  await holds(nextServer)
  await rotate(claimed({ secret: second, earlierSecrets: [first] }), () => undefined)
  expect(await countOpened({ secret: second })).toEqual(before)
  const loneServer = await serverWith({ secret: second })
  await holds(loneServer)
  await expect(prepareDatabase(claimed({ secret: first }))).rejects.toThrow(/^The secret is not the one/)

  // A second change works in the same way.
  const changedAgainServer = await serverWith({ secret: third, earlierSecrets: [second] })
  await holds(changedAgainServer)
  await rotate(claimed({ secret: third, earlierSecrets: [second] }), () => undefined)
  expect(await countOpened({ secret: third })).toEqual(before)
  const lastServer = await serverWith({ secret: third })
  await holds(lastServer)
  for (const server of [readyServer, nextServer, loneServer, changedAgainServer, lastServer]) await server.close()

  async function holds({ deps }: PeopleServer): Promise<void> {
    expect(await readCardNumber(deps, card)).toBe(number)
    expect((await findCardByNumber(deps, number))?.id).toBe(card.id)
    expect(accountNumberOf(deps.config, ann.customer.currentAccountId)).toBe(derivedValues.account)
    expect(cvvOf(deps, { number, expiresOn: '2029-08-31' })).toBe(derivedValues.cvv)
    expect(vapidKeys(deps.config)).toEqual(derivedValues.push)
    expect(operationOfClaimToken(deps.config, derivedValues.token)).not.toBeNull()
    const code = codes.pop() ?? ''
    const token = await inTransaction(deps.db, (trx) =>
      takeRecoveryCode(deps, trx, ann.customer, code.replace('-', '')),
    )
    expect(token).toBe(true)
  }
})

test('an interrupted rotation can be repeated, and loses no data', async () => {
  await sealEverything()
  const before = await countOpened({ secret: first })
  await (await serverWith({ secret: second, earlierSecrets: [first] })).close()
  const columnCount = SEALED_COLUMNS.length
  for (let steps = 0; steps <= columnCount; steps += 1) {
    let count = 0
    const cutOff = rotate(claimed({ secret: second, earlierSecrets: [first] }), () => {
      count += 1
      if (count > steps) throw new Error('cut off')
    })
    await expect(cutOff).rejects.toThrow('cut off')
    expect(await countOpened({ secret: second, earlierSecrets: [first] })).toEqual(before)
  }
  await rotate(claimed({ secret: second, earlierSecrets: [first] }), () => undefined)
  expect(await countOpened({ secret: second })).toEqual(before)
})

test('rotation is refused while a server still seals with the old secret', async () => {
  const jobs = await startJobs(oldServer.deps)
  const next = await serverWith({ secret: second, earlierSecrets: [first] })
  const attempt = () => rotate(claimed({ secret: second, earlierSecrets: [first] }), () => undefined)
  await expect(attempt()).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(/^A running server/),
  })
  await jobs.stop()
  const nextJobs = await startJobs(next.deps)
  await attempt()
  await nextJobs.stop()
  await next.close()
  expect((await owner.query('SELECT current_user')).rows).toHaveLength(1)
  expect(servingRole(second)).not.toBe(servingRole(first))
})
