import type { Run } from '#server/platform/db/run.ts'

/** What lets somebody in, or could come to. Passwords, passkeys and second factors stay. */
const PASSES = ['session', 'one_time_token', 'phone_code', 'known_device']

/**
 * Signs everybody out, of a bank that was restored: a session that its customer has ended since, because somebody else had it,
 * would live again. So would links and codes that were used, and devices that were removed.
 */
export async function endAllSessions(run: Run): Promise<void> {
  // A browser that is signed out is shown no notices.
  await run('DELETE FROM bank.push_subscription')
  for (const table of PASSES) await run(`DELETE FROM bank.${table}`)
}
