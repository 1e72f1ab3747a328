import { expect } from 'vitest'
import { runOn } from '#server/platform/db/run.ts'
import { startJobs } from '#server/platform/jobs/worker.ts'
import { withOpenLinks } from '#server/mail/link.ts'
import type { TestServer } from '#server/test/server.ts'

type Letter = { subject: string; text: string }

export type PostOffice = {
  /** What was written to an address so far, the first mail first, once nothing is left to be done. */
  mailsTo(address: string): Promise<Letter[]>
  /** The token in the last link that was written to an address. */
  tokenTo(address: string): Promise<string>
  /** Waits until nothing is left to be done. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** Does the bank's jobs, and reads what it writes as its readers would. The caller closes it before the server. */
export async function openPostOffice({ deps }: TestServer): Promise<PostOffice> {
  const jobs = await startJobs(deps)
  const run = runOn(deps.pool)
  const settled = async () => {
    const left = async () => (await run('SELECT count(*) AS jobs FROM graphile_worker.jobs')).rows[0]?.['jobs']
    await expect.poll(left, { timeout: 10_000, interval: 20 }).toBe(0)
  }
  const mailsTo: PostOffice['mailsTo'] = async (address) => {
    await settled()
    const { rows } = await run('SELECT subject, text FROM bank.mail WHERE recipient = $1 ORDER BY place', [address])
    return (rows as Letter[]).map(({ subject, text }) => ({ subject, text: withOpenLinks(deps.config, text) }))
  }
  return {
    mailsTo,
    settled,
    tokenTo: async (address) => {
      const links = (await mailsTo(address)).flatMap(({ text }) => [...text.matchAll(/\?token=([\w-]+)/g)])
      const token = links.at(-1)?.[1]
      if (!token) throw new Error(`No link was written to ${address}`)
      return token
    },
    close: () => jobs.stop(),
  }
}
