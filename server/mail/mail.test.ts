import { afterAll, beforeAll, expect, test } from 'vitest'
import { SMTPServer } from 'smtp-server'
import { inTransaction, runOn } from '#server/platform/db/run.ts'
import { createCustomer } from '#server/identity/customers/customers.ts'
import { signInCookie } from '#server/test/sign-in.ts'
import { type Jobs, startJobs } from '#server/platform/jobs/worker.ts'
import { sendMail } from '#server/mail/service.ts'
import { testServer, type TestServer } from '#server/test/server.ts'

const received: { to: string[]; text: string }[] = []
let refusing = false
const smtp = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onRcptTo: (_address, _session, done) =>
    done(refusing ? Object.assign(new Error('busy'), { responseCode: 451 }) : null),
  onData(stream, session, done) {
    let text = ''
    stream.on('data', (part: Buffer) => (text += part.toString()))
    stream.on('end', () => {
      received.push({ to: session.envelope.rcptTo.map(({ address }) => address), text })
      done()
    })
  },
})

let server: TestServer
let jobs: Jobs
const logged: Record<string, unknown>[] = []

beforeAll(async () => {
  const { promise: listening, resolve } = Promise.withResolvers<void>()
  smtp.listen(0, '127.0.0.1', resolve)
  await listening
  const { port } = smtp.server.address() as { port: number }
  server = await testServer({ logged, config: { smtpUrl: `smtp://127.0.0.1:${port}`, origin: null } })
  jobs = await startJobs(server.deps)
})
afterAll(async () => {
  await jobs.stop()
  await server.close()
  smtp.close()
})

const run = () => runOn(server.deps.pool)

async function signedIn(email: string) {
  const customer = await createCustomer(server.deps, { fullName: 'Ann Lee', email })
  const cookie = await signInCookie(server.deps, customer.id)
  const mails = async () => {
    const answer = await server.browser().get('/api/v1/sample/mail', { headers: { cookie } })
    return (await answer.json()).mails
  }
  return { customer, mails }
}

test('a mail goes out once it is committed, and once', async () => {
  await expect(
    inTransaction(server.deps.db, async (_trx, within) => {
      await sendMail(server.deps, within, { to: 'no@example.com', subject: 'No', text: 'No' })
      throw new Error('on second thoughts')
    }),
  ).rejects.toThrow('on second thoughts')
  await sendMail(server.deps, run(), { to: 'ann@example.com', subject: 'Hello', text: 'A line\nand another' })
  await expect.poll(() => received, { timeout: 5_000 }).toHaveLength(1)
  expect(received[0]).toMatchObject({ to: ['ann@example.com'], text: expect.stringContaining('Subject: Hello') })
  expect(received[0]?.text).toMatch(/From: Alder <no-reply@localhost>/)
  const sent = () => server.deps.pool.query('SELECT recipient, sent_at IS NOT NULL AS sent FROM bank.mail')
  await expect.poll(async () => (await sent()).rows).toEqual([{ recipient: 'ann@example.com', sent: true }])
})

test('a mail that is not taken is tried again, and no address gets into the log', async () => {
  refusing = true
  await sendMail(server.deps, run(), { to: 'later@example.com', subject: 'Later', text: 'Later' })
  const error = async () =>
    (await server.deps.pool.query('SELECT last_error FROM graphile_worker.jobs')).rows[0]?.last_error
  await expect.poll(error, { timeout: 5_000 }).toContain('451')
  expect(await error()).not.toContain('later@')
  expect(JSON.stringify(logged)).not.toContain('later@')
  refusing = false
  await server.deps.pool.query('UPDATE graphile_worker._private_jobs SET run_at = now()')
  await expect.poll(() => received.at(-1)?.to, { timeout: 5_000 }).toEqual(['later@example.com'])
})

test('the mailbox shows a customer their own mails and those about them', async () => {
  const [ann, bob] = [await signedIn('box.ann@example.com'), await signedIn('box.bob@example.com')]
  await sendMail(server.deps, run(), { to: 'box.ann@example.com', subject: 'To Ann', text: '1' })
  await sendMail(server.deps, run(), {
    to: 'friend@example.com',
    subject: 'About Ann',
    text: '2',
    customerId: ann.customer.id,
  })
  expect((await ann.mails()).map((mail: { subject: string }) => mail.subject)).toEqual(['About Ann', 'To Ann'])
  expect(await bob.mails()).toEqual([])
})

test('the mailbox holds the newest 50', async () => {
  const ann = await signedIn('many@example.com')
  for (let index = 0; index < 52; index += 1) {
    await sendMail(server.deps, run(), { to: 'many@example.com', subject: `${index}`, text: '' })
  }
  const mails = await ann.mails()
  expect(mails).toHaveLength(50)
  expect(mails[0].subject).toBe('51')
})

test('a bank with no mailbox page has no mailbox', async () => {
  const live = await testServer({ config: { mode: 'live' } })
  const customer = await createCustomer(live.deps, { fullName: 'Ann Lee', email: 'ann@example.com' })
  const cookie = await signInCookie(live.deps, customer.id)
  const answer = await live.browser().get('/api/v1/sample/mail', { headers: { cookie } })
  expect(answer.status).toBe(404)
  await live.close()
})
