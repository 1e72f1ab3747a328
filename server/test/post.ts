import { expect } from 'vitest'
import { runOn } from '#server/platform/db/run.ts'
import { startJobs } from '#server/platform/jobs/worker.ts'
import { type Letter, mailsTo as writtenTo } from '#server/test/mails.ts'
import type { TestServer } from '#server/test/server.ts'

export type PostOffice = {
  /** What was written to an address so far, the first mail first, once nothing is left to be done. */
  mailsTo(address: string): Promise<Letter[]>
  /** The token in the last link that was written to an address. */
  tokenTo(address: string): Promise<string>
  /** Waits until nothing is left to be done by now. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** Does the bank's jobs, and reads what it writes as its readers would. The caller closes it before the server. */
export async function openPostOffice({ deps }: TestServer): Promise<PostOffice> {
  const jobs = await startJobs(deps)
  const run = runOn(deps.pool)
  const settled = async () => {
    const left = async () =>
      (await run('SELECT count(*) AS jobs FROM graphile_worker.jobs WHERE run_at <= now()')).rows[0]?.['jobs']
    await expect.poll(left, { timeout: 10_000, interval: 20 }).toBe(0)
  }
  const mailsTo: PostOffice['mailsTo'] = async (address) => {
    await settled()
    return writtenTo(deps, address)
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

async function jobsOf({ deps }: Pick<TestServer, 'deps'>, name: string) {
  const { rows } = await runOn(deps.pool)(
    `SELECT j.id, j.payload FROM graphile_worker._private_jobs j
       JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = $1 ORDER BY j.id`,
    [name],
  )
  return rows
}

/** Does the jobs of one name that wait, and no others, whenever they would be due. */
export async function doJobs({ deps }: Pick<TestServer, 'deps'>, name: string): Promise<void> {
  const job = deps.slices.flatMap((slice) => slice.jobs ?? []).find((known) => known.name === name)
  if (!job) throw new Error(`There is no job ${name}`)
  const rows = await jobsOf({ deps }, name)
  for (const { id, payload } of rows) {
    await job.run(deps, payload)
    await runOn(deps.pool)('SELECT graphile_worker.complete_jobs(ARRAY[$1::bigint])', [id])
  }
}
