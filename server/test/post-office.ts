import { expect } from 'vitest'
import { runOn } from '#server/platform/db/run.ts'
import { startJobs } from '#server/platform/jobs/worker.ts'
import { type ReceivedMail, mailsTo as writtenTo } from '#server/test/mails.ts'
import type { TestServer } from '#server/test/server.ts'

export type PostOffice = {
  /** Waits for all due jobs and returns the mails to an address, oldest first. */
  mailsTo(address: string): Promise<ReceivedMail[]>
  /** Returns the token of the last link mailed to an address. */
  tokenTo(address: string): Promise<string>
  /** Waits until no due job is left. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** Runs the bank's jobs and reads its mails. The caller closes it before the server. */
export async function openPostOffice({ deps }: TestServer): Promise<PostOffice> {
  const jobs = await startJobs(deps)
  const run = runOn(deps.pool)
  const waitUntilSettled = async () => {
    const countJobs = async () =>
      (await run('SELECT count(*) AS jobs FROM graphile_worker.jobs WHERE run_at <= now()')).rows[0]?.['jobs']
    await expect.poll(countJobs, { timeout: 10_000, interval: 20 }).toBe(0)
  }
  const mailsTo: PostOffice['mailsTo'] = async (address) => {
    await waitUntilSettled()
    return writtenTo(deps, address)
  }
  return {
    mailsTo,
    settled: waitUntilSettled,
    tokenTo: async (address) => {
      const links = (await mailsTo(address)).flatMap(({ text }) => [...text.matchAll(/\?token=([\w-]+)/g)])
      const token = links.at(-1)?.[1]
      if (!token) throw new Error(`No link was written to ${address}`)
      return token
    },
    close: () => jobs.stop(),
  }
}

async function jobsOf({ deps }: Pick<TestServer, 'deps'>, name: string) {
  const { rows } = await runOn(deps.pool)(
    `SELECT j.id, j.payload FROM graphile_worker._private_jobs j
       JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = $1 ORDER BY j.id`,
    [name],
  )
  return rows
}

/** Runs the waiting jobs of one name and no others, even those that are not due yet. */
export async function doJobs({ deps }: Pick<TestServer, 'deps'>, name: string): Promise<void> {
  const job = deps.slices.flatMap((candidate) => candidate.jobs ?? []).find((candidate) => candidate.name === name)
  if (!job) throw new Error(`There is no job ${name}`)
  const rows = await jobsOf({ deps }, name)
  for (const { id, payload } of rows) {
    await job.run(deps, payload)
    await runOn(deps.pool)('SELECT graphile_worker.complete_jobs(ARRAY[$1::bigint])', [id])
  }
}
