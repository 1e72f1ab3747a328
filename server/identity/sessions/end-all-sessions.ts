import type { Run } from '#server/platform/db/run.ts'

/** The tables of everything that signs a customer in, or could do so later. Passwords, passkeys and second factors stay. */
const PASSES = ['session', 'one_time_token', 'phone_code', 'known_device']

/**
 * Ends all sessions of a bank that was restored from a backup. A session that its customer had ended, for example because of a
 * thief, would otherwise be valid again. So would used links, used codes and removed devices.
 */
export async function endAllSessions(run: Run): Promise<void> {
  // A signed-out browser gets no push notices.
  await run('DELETE FROM bank.push_subscription')
  for (const table of PASSES) await run(`DELETE FROM bank.${table}`)
}
