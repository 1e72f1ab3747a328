import { SMTPServer } from 'smtp-server'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { SLICES } from '#server/api.ts'
import { sendMail } from '#server/mail/service.ts'
import { runOn } from '#server/platform/db/run.ts'
import { holdBack, openRestoreHold, releaseHold } from '#server/platform/restore-hold.ts'
import { lateParts } from '#server/platform/lateness.ts'
import type { RunnableJob } from '#server/platform/jobs/job.ts'
import { type Jobs, startJobs } from '#server/platform/jobs/worker.ts'
import { connectAsOwner } from '#server/platform/db/database-identity.ts'
import { type PeopleServer, peopleServer } from '#server/test/people.ts'

let server: PeopleServer
let jobs: Jobs | undefined
beforeAll(async () => {
  server = await peopleServer()
})
afterAll(() => server.close())

let subjects: string[]
let smtp: SMTPServer
beforeEach(async () => {
  subjects = []
  smtp = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, _session, done) => {
      let text = ''
      stream.on('data', (part: Buffer) => (text += part))
      stream.on('end', () => {
        subjects.push(/^Subject: (.*)$/m.exec(text)?.[1] ?? '')
        done()
      })
    },
  })
  await new Promise<void>((resolve) => void smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as { port: number }
  server.deps.config.smtpUrl = `smtp://127.0.0.1:${port}`
})
afterEach(async () => {
  await jobs?.stop()
  jobs = undefined
  server.deps.held.close()
  await asOwner(async (run) => void (await releaseHold(run, ['changes', 'mail', 'texts', 'push', 'rails'])))
  await new Promise<void>((resolve) => smtp.close(resolve))
})

async function asOwner(work: (run: ReturnType<typeof runOn>) => Promise<void>): Promise<void> {
  const client = await connectAsOwner(server.database.ownerUrl)
  await work(runOn(client))
  await client.end()
}

/** Reads the holds again, as a restarted bank does. */
const restart = async () => void (server.deps.held = await openRestoreHold(server.deps.db))

const mail = () =>
  sendMail(server.deps, server.deps.db, {
    to: 'ann@example.com',
    kind: 'choose_password',
    params: { fullName: 'Ann Lee' },
  })

test('no mail leaves a held bank, no mail is reported as late, and each is sent after the release', async () => {
  await asOwner((run) => holdBack(run, '2026-08-28T09:00:00Z'))
  await restart()
  await mail()
  await mail()
  jobs = await startJobs(server.deps)
  await sleep(3_000)
  expect(subjects).toEqual([])
  const { rows } = await server.deps.pool.query(
    `SELECT attempts FROM graphile_worker.jobs WHERE task_identifier = 'mail.deliver'`,
  )
  expect(rows).toEqual([{ attempts: 0 }, { attempts: 0 }])
  expect(await lateParts(server.deps)).toEqual(['held after a restore'])

  await asOwner(async (run) => expect(await releaseHold(run, ['mail'])).toEqual(['mail']))
  await expect.poll(() => subjects).toHaveLength(2)
  await sleep(1_000)
  expect(subjects).toHaveLength(2)
  expect(server.deps.held.kinds()).toEqual(expect.arrayContaining(['changes', 'push', 'rails', 'texts']))
})

test('the serving role can neither hold nor release', async () => {
  await expect(holdBack(runOn(server.deps.pool), '2026-08-28T09:00:00Z')).rejects.toThrow('permission denied')
  await expect(releaseHold(runOn(server.deps.pool), ['mail'])).rejects.toThrow('permission denied')
})

test('holding a bank again keeps the earlier moment', async () => {
  await asOwner(async (run) => {
    await holdBack(run, '2026-08-28T09:00:00Z')
    await holdBack(run, '2026-08-29T09:00:00Z')
    const { rows } = await run('SELECT DISTINCT known_until FROM bank.held')
    expect(rows).toEqual([{ known_until: new Date('2026-08-28T09:00:00Z') }])
  })
})

test('all jobs that send messages to the outside are declared', () => {
  const allJobs: readonly RunnableJob[] = SLICES.flatMap((slice) => ('jobs' in slice ? slice.jobs : []))
  const leaving = allJobs.flatMap(({ name, leaves }) => (leaves ? [`${leaves}: ${name}`] : []))
  expect(leaving.toSorted()).toEqual([
    'mail: mail.deliver',
    'push: notifications.push',
    'rails: direct_debits.report_debit',
    'rails: direct_debits.report_mandate',
    'rails: incoming_transfers.send_back',
    'rails: incoming_transfers.send_back_held',
    'rails: rails.ask_payout',
    'rails: rails.ask_provider',
    'texts: messages.deliver',
  ])
})
